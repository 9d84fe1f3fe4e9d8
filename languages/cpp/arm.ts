import type { ProcessReport } from '../../src/schema/test-result.ts'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ArmPlan } from '../adapter.ts'
import { textOf, writeText } from '../shared/paths.ts'
import { ARMED_STEP } from '../shared/tools-folder.ts'
import { type CppCase, cppCases } from './cases.ts'
import { addSentinelBeside } from './sentinel.ts'
import { sourceOf } from './targets.ts'

/** Puts a sentinel into each GoogleTest-like executable, behind the last case that passed in one of its sources. */
export function armCpp(tree: RepoView, processes: readonly ProcessReport[], word: string): ArmPlan {
  const changes = new Map<string, FileChange>()
  const known = new Map<string, string>()
  const sentinels = new Map<string, { suite: string; name: string }>()
  for (const report of processes) {
    const suite = report.cases[0]?.suite
    if (suite === undefined || !report.process.startsWith('gtest:')) continue
    const name = known.get(suite) ?? armExecutable(tree, suite, report, word, changes)
    if (name === undefined) continue
    known.set(suite, name)
    sentinels.set(report.process, { suite, name })
  }
  return { changes: [...changes.values()], sentinels, env: ARMED_STEP }
}

function armExecutable(
  tree: RepoView,
  executable: string,
  report: ProcessReport,
  word: string,
  changes: Map<string, FileChange>,
): string | undefined {
  const passed = new Set(report.cases.filter((test) => test.status === 'passed').map((test) => test.name))
  const lastIn = (path: string): CppCase | undefined =>
    cppCases(textOf(tree.read(path)) ?? '').findLast(
      (found) => (found.macro === 'TEST' || found.macro === 'TEST_F') && passed.has(found.name),
    )
  const path = sourceOf(tree, executable, (candidate) => lastIn(candidate) !== undefined)
  const beside = path === undefined ? undefined : lastIn(path)
  if (path === undefined || beside === undefined) return undefined
  const armed = addSentinelBeside(textOf(tree.read(path)) ?? '', beside, word)
  // Executables that share a source have its one sentinel.
  if (!changes.has(path)) changes.set(path, writeText(path, armed.text))
  return armed.name
}
