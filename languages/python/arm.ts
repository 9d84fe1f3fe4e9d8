import type { ProcessReport } from '../../src/schema/test-result.ts'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ArmPlan } from '../adapter.ts'
import { textOf, writeText } from '../shared/paths.ts'
import { ARMED_STEP } from '../shared/tools-folder.ts'
import { addSentinel, chooseBeside } from './sentinel.ts'

/** Puts one sentinel into one file of each pytest session, the last: a session is one process, and runs its files in turn. */
export function armPytest(tree: RepoView, processes: readonly ProcessReport[], word: string): ArmPlan {
  const changes = new Map<string, FileChange>()
  const armedFiles = new Map<string, string>()
  const sentinels = new Map<string, { suite: string; name: string }>()
  for (const report of processes) {
    const known = passedFiles(report).find((file) => armedFiles.has(file))
    const file =
      known ?? passedFiles(report).find((candidate) => besideIn(tree, report, candidate) !== undefined)
    if (file === undefined) continue
    if (known === undefined) {
      const text = textOf(tree.read(file))
      const beside = besideIn(tree, report, file)
      if (text === undefined || beside === undefined) continue
      const armed = addSentinel(text, beside, word)
      changes.set(file, writeText(file, armed.text))
      armedFiles.set(file, armed.name)
    }
    const name = armedFiles.get(file)
    if (name !== undefined) sentinels.set(report.process, { suite: file, name })
  }
  return { changes: [...changes.values()], sentinels, env: ARMED_STEP }
}

function passedFiles(report: ProcessReport): readonly string[] {
  return [
    ...new Set(report.cases.filter((result) => result.status === 'passed').map((result) => result.suite)),
  ].reverse()
}

function besideIn(tree: RepoView, report: ProcessReport, file: string): ReturnType<typeof chooseBeside> {
  const text = textOf(tree.read(file))
  if (text === undefined) return undefined
  const passed = new Set(
    report.cases
      .filter((result) => result.suite === file && result.status === 'passed')
      .map((result) => result.name.replace(/\[.*$/s, '')),
  )
  return chooseBeside(text, (name) => passed.has(name))
}
