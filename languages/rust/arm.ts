import type { ProcessReport } from '../../src/schema/test-result.ts'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import type { ArmPlan } from '../adapter.ts'
import { folderOf, joinPath, textOf, writeText } from '../shared/paths.ts'
import { ARMED_STEP } from '../shared/tools-folder.ts'
import { parseSuite, rootSources, type TestBinary } from './binary.ts'
import { addSentinel, addSentinelModule, chooseRustCase } from './sentinel.ts'

/** Puts a sentinel into each test binary: beside a case that passed, or in a module of its own at the crate's root. */
export function armCargo(tree: RepoView, processes: readonly ProcessReport[], word: string): ArmPlan {
  const changes = new Map<string, FileChange>()
  const known = new Map<string, string>()
  const sentinels = new Map<string, { suite: string; name: string }>()
  for (const report of processes) {
    const passed = report.cases.filter((result) => result.status === 'passed').map((result) => result.name)
    const suite = report.cases[0]?.suite
    const binary = suite === undefined ? undefined : parseSuite(suite)
    if (suite === undefined || binary === undefined || passed.length === 0) continue
    const name = known.get(suite) ?? armBinary(tree, binary, passed, word, changes)
    if (name === undefined) continue
    known.set(suite, name)
    sentinels.set(report.process, { suite, name })
  }
  return { changes: [...changes.values()], sentinels, env: ARMED_STEP }
}

function armBinary(
  tree: RepoView,
  binary: TestBinary,
  passed: readonly string[],
  word: string,
  changes: Map<string, FileChange>,
): string | undefined {
  const root = rootSources(binary).find((path) => tree.read(path) !== undefined)
  if (root === undefined) return undefined
  const found = lastLiteralCase(tree, root, passed)
  const path = found?.path ?? root
  const text = textOf(tree.read(path)) ?? ''
  const beside = found && chooseRustCase(text, (name) => name === found.name)
  const armed = beside ? addSentinel(text, beside, word) : addSentinelModule(text, word)
  // A library and a program may share a module: then both have its one sentinel.
  if (!changes.has(path)) changes.set(path, writeText(path, armed.text))
  return [...(found?.modules ?? []), armed.name].join('::')
}

interface LiteralCase {
  readonly path: string
  readonly modules: readonly string[]
  /** Path inside the file. */
  readonly name: string
}

/** The passed case that sorts last among those that stand literally in the root's module tree. */
function lastLiteralCase(tree: RepoView, root: string, passed: readonly string[]): LiteralCase | undefined {
  const names = [...passed].sort().reverse()
  for (const name of names) {
    const parts = name.split('::')
    for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
      const modules = parts.slice(0, depth)
      const rest = parts.slice(depth).join('::')
      for (const path of moduleFiles(root, modules)) {
        const text = textOf(tree.read(path))
        if (text !== undefined && chooseRustCase(text, (found) => found === rest))
          return { path, modules, name: rest }
      }
    }
  }
  return undefined
}

/** Where the compiler looks for a module's file. */
function moduleFiles(root: string, modules: readonly string[]): readonly string[] {
  if (modules.length === 0) return [root]
  const folder = joinPath(folderOf(root), ...modules)
  return [`${folder}.rs`, `${folder}/mod.rs`]
}
