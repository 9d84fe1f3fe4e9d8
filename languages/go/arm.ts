import type { ProcessReport } from '../../src/schema/test-result.ts'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ArmPlan } from '../adapter.ts'
import { folderOf, textOf } from '../shared/paths.ts'
import { ARMED_STEP } from '../shared/tools-folder.ts'
import { packageOf } from './cases.ts'
import { addSentinelBeside, chooseGoCase } from './sentinel.ts'

/** Puts a sentinel into each package, beside the last test that passed there: files run in order, external ones last. */
export function armGo(tree: RepoView, processes: readonly ProcessReport[], word: string): ArmPlan {
  const changes = new Map<string, FileChange>()
  const sentinels = new Map<string, { suite: string; name: string }>()
  const known = new Map<string, string>()
  for (const report of processes) {
    const folder = report.cases[0]?.suite
    if (folder === undefined) continue
    const name = known.get(folder) ?? armPackage(tree, report, folder, word, changes)
    if (name === undefined) continue
    known.set(folder, name)
    sentinels.set(report.process, { suite: folder, name })
  }
  return { changes: [...changes.values()], sentinels, env: ARMED_STEP }
}

function armPackage(
  tree: RepoView,
  report: ProcessReport,
  folder: string,
  word: string,
  changes: Map<string, FileChange>,
): string | undefined {
  const passed = new Set(report.cases.filter((test) => test.status === 'passed').map((test) => test.name))
  const files = tree.list().filter((path) => path.endsWith('_test.go') && folderOf(path) === folder)
  const isExternal = (path: string): boolean =>
    packageOf(textOf(tree.read(path)) ?? '')?.endsWith('_test') ?? false
  const inOrder = [...files.filter((path) => !isExternal(path)), ...files.filter(isExternal)]
  for (const path of inOrder.reverse()) {
    const text = textOf(tree.read(path))
    const beside = text === undefined ? undefined : chooseGoCase(text, (name) => passed.has(name))
    if (text === undefined || beside === undefined) continue
    const { change, name } = addSentinelBeside(path, text, beside, word)
    changes.set(path, change)
    return name
  }
  return undefined
}
