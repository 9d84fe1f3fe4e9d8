import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ReportFiles, TestFilePlan, TestStepContext } from '../adapter.ts'
import { textIn, writeText } from '../shared/paths.ts'
import { withSupport } from '../shared/support-files.ts'
import { findCommand, quote, scriptOf } from '../shared/test-command.ts'
import { ARMED_CASE } from '../shared/tools-folder.ts'
import { cppCases, filterOf, isPartOf } from './cases.ts'
import { buildOptions, findCtest } from './options.ts'
import { readCppReports } from './read-reports.ts'
import { addLastSentinel } from './sentinel.ts'
import { isCppSource, standIn, targetOf } from './targets.ts'

/**
 * Builds the executable of one test source and runs one case of it. A new file takes the place of an existing test source
 * beside it, in a tree of its own: so it is compiled and linked as its neighbour is, without a word in any build file.
 */
export function planCppFile(
  tree: RepoView,
  files: readonly FileChange[],
  path: string,
  step: TestStepContext,
  word: string,
): TestFilePlan {
  const text = textIn(tree, files, path) ?? ''
  const place = tree.read(path) !== undefined ? path : (standIn(tree, path) ?? path)
  const target = targetOf(tree, place)
  const cases = new Map(cppCases(text).map((found) => [found.name, found]))
  const armed = addLastSentinel(text, word)
  const shown = place === path ? [] : [`#line 1 "${path}"`]
  const found = findCommand(step.run, findCtest)
  const scene = found?.scene ?? ''
  const { folder, config } = buildOptions(found?.args ?? [])
  const setBuild = [
    `arena_build=${folder ?? '.'}`,
    '[ -f "$arena_build/CMakeCache.txt" ] || arena_build=build',
    'arena_build=$(cd -- "$arena_build" && pwd)',
  ].join('\n')
  const build = [
    'cmake --build "$arena_build"',
    ...(config === null ? [] : [`--config ${config}`]),
    `--target ${quote(target)}`,
  ]
  const findExecutable = [
    `arena_test=$(find "$arena_build" -name CMakeFiles -prune -o -type f -name ${quote(target)} -perm -100 -print -quit)`,
    'test -n "$arena_test"',
  ].join('\n')
  return {
    changes: [
      ...withSupport(files, path, (file, content) => isCppSource(file) && cppCases(content).length > 0),
      writeText(place, [...shown, armed.text].join('\n')),
    ],
    build: {
      // GoogleTest's discovery runs executables while it builds; their lists are no reports.
      script: scriptOf('unset GTEST_OUTPUT', found?.before ?? '', setBuild, build.join(' ')),
      env: {},
    },
    runCase(name) {
      const filter = quote(`${filterOf(cases.get(name), name)}:${armed.name}`)
      const run = `cd "$(dirname -- "$arena_test")" && "$arena_test" --gtest_filter=${filter}`
      return { script: scriptOf(scene, setBuild, findExecutable, run), env: ARMED_CASE }
    },
    readCase: (name, reports) => readCppCase(name, armed.name, reports),
  }
}

function readCppCase(
  name: string,
  sentinel: string,
  reports: ReportFiles,
): ReturnType<TestFilePlan['readCase']> {
  const results = readCppReports(reports).flatMap((report) => report.cases)
  const ofSentinel = results.filter((result) => result.name === sentinel)
  return {
    parts: results.filter((result) => isPartOf(result.name, name)),
    sentinelFailed: ofSentinel.length > 0 && ofSentinel.every((result) => result.status === 'failed'),
  }
}
