import type { TestKey, Verdict } from '../../src/schema/verdict.ts'
import type { CellView } from '../../src/schema/view.ts'

/** A test of the reviewer with what became of it. */
export interface JudgedTest {
  readonly key: TestKey
  readonly state: 'killed' | 'passed' | 'rejected'
  /** Why it was rejected, in the judge's word, and what was seen. */
  readonly why: Verdict['rejected'][number]['why'] | null
  readonly detail: string
}

/** The trees that tests ran on, in the order of the page; golden's runs stand together. */
export const TREES = ['base', 'commented base', 'golden', 'patch'] as const
export type TreeName = (typeof TREES)[number]

export const keyText = ({ leg, file, case: name }: TestKey): string => JSON.stringify([leg, file, name])

/** Killers first, then the admitted ones that the patch passes, then the rejected ones. */
export function judgedTests(verdict: Verdict): readonly JudgedTest[] {
  const killers = new Set(verdict.killedBy.map(keyText))
  const admitted = verdict.admitted.map((key): JudgedTest => {
    const state = killers.has(keyText(key)) ? 'killed' : 'passed'
    return { key, state, why: null, detail: '' }
  })
  return [
    ...admitted.filter(({ state }) => state === 'killed'),
    ...admitted.filter(({ state }) => state === 'passed'),
    ...verdict.rejected.map(
      (key): JudgedTest => ({ key, state: 'rejected', why: key.why, detail: key.detail }),
    ),
  ]
}

const treeOf = (role: string): TreeName | undefined =>
  TREES.find((tree) => role === `tests on ${tree}` || role.startsWith(`tests on ${tree}, `))

export type OutcomesByTree = ReadonlyMap<TreeName, readonly string[]>

/** Test key → tree → how the case ended there, once a run. */
export function caseOutcomes(cells: readonly CellView[]): ReadonlyMap<string, OutcomesByTree> {
  const found = new Map<string, Map<TreeName, string[]>>()
  for (const { role, run } of cells) {
    const tree = treeOf(role)
    if (!tree || run?.kind !== 'tests') continue
    for (const { leg, files } of run.legs)
      for (const { path, cases } of files)
        for (const { case: name, outcome } of cases) {
          const key = keyText({ leg, file: path, case: name })
          const trees = found.get(key) ?? new Map<TreeName, string[]>()
          found.set(key, trees)
          trees.set(tree, [...(trees.get(tree) ?? []), outcome])
        }
  }
  return found
}
