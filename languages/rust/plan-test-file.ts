import { posix } from 'node:path'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ReportFiles, TestFilePlan, TestStepContext } from '../adapter.ts'
import { baseName, folderOf, joinPath, textIn, writeText } from '../shared/paths.ts'
import { withSupport } from '../shared/support-files.ts'
import { findCommand, headText, keptOptions, quote, scriptOf } from '../shared/test-command.ts'
import { ARMED_CASE } from '../shared/tools-folder.ts'
import { suiteOf } from './binary.ts'
import { rustCases } from './cases.ts'
import { cargoRule, findCargoTest } from './options.ts'
import { readCargoReports } from './read-reports.ts'
import { addSentinel, chooseRustCase } from './sentinel.ts'

/** Builds the test binary of one file below tests/ and runs one case of it, by Cargo. */
export function planCargoFile(
  tree: RepoView,
  files: readonly FileChange[],
  path: string,
  step: TestStepContext,
  word: string,
): TestFilePlan {
  const text = textIn(tree, files, path) ?? ''
  const last = chooseRustCase(text, () => true)
  const armed = last ? addSentinel(text, last, word) : { text, name: undefined }
  const parametrised = new Set(rustCases(text).flatMap((found) => (found.isParametrised ? [found.name] : [])))
  const folder = packageFolder(tree, files, path)
  const target = targetOf(textIn(tree, files, joinPath(folder, 'Cargo.toml')) ?? '', folder, path)
  const found = findCommand(step.run, findCargoTest)
  const head = found ? headText(found) : 'cargo test'
  const options = found ? keptOptions(found.args, cargoRule) : []
  const enter = `cd ${quote(posix.join(step.repo, folder))}`
  const command = [head, ...options, '--test', quote(target)].join(' ')
  const isCaseFile = (file: string, content: string): boolean =>
    isTestRoot(file) && rustCases(content).length > 0
  return {
    changes: [...withSupport(files, path, isCaseFile), writeText(path, armed.text)],
    build: { script: scriptOf(found?.before ?? '', enter, `${command} --no-run`), env: {} },
    runCase(name) {
      // A parametrised function is a module of tests; the sentinel's name is in no other.
      const filters = parametrised.has(name) ? [`${name}::`] : ['--exact', name]
      const names = [...filters, ...(armed.name === undefined ? [] : [armed.name])].map(quote)
      // One thread: the sentinel's name sorts behind all others, so it runs when the case has done what it does.
      const run = `${command} -- --test-threads=1 ${names.join(' ')}`
      return { script: scriptOf(found?.scene ?? '', enter, run), env: ARMED_CASE }
    },
    readCase: (name, reports) =>
      readCargoCase(suiteOf({ kind: 'test', folder, name: target }), name, armed.name, reports),
  }
}

const isTestRoot = (path: string): boolean => /(^|\/)tests\/([^/]+|[^/]+\/main)\.rs$/.test(path)

/** The nearest folder above a file that has a manifest. */
function packageFolder(tree: RepoView, files: readonly FileChange[], path: string): string {
  let folder = folderOf(path)
  while (folder !== '.' && textIn(tree, files, joinPath(folder, 'Cargo.toml')) === undefined)
    folder = folderOf(folder)
  return folder
}

/** The name of a file's test target: as a `[[test]]` table of the manifest says, else the file's or folder's own. */
function targetOf(manifest: string, folder: string, path: string): string {
  const inPackage = folder === '.' ? path : path.slice(folder.length + 1)
  for (const table of manifest.split(/^\s*(?=\[)/m)) {
    if (!table.startsWith('[[test]]')) continue
    const value = (key: string): string | undefined =>
      new RegExp(`^\\s*${key}\\s*=\\s*["']([^"']+)["']`, 'm').exec(table)?.[1]
    const name = value('name')
    if (name !== undefined && value('path') === inPackage) return name
  }
  const file = baseName(path).replace(/\.rs$/, '')
  return file === 'main' ? baseName(folderOf(path)) : file
}

function readCargoCase(
  suite: string,
  name: string,
  sentinel: string | undefined,
  reports: ReportFiles,
): ReturnType<TestFilePlan['readCase']> {
  const results = readCargoReports(reports)
    .flatMap((report) => report.cases)
    .filter((result) => result.suite === suite)
  const ofSentinel = results.filter((result) => result.name === sentinel)
  return {
    parts: results.filter((result) => result.name === name || result.name.startsWith(`${name}::`)),
    sentinelFailed: ofSentinel.length > 0 && ofSentinel.every((result) => result.status === 'failed'),
  }
}
