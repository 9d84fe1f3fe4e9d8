import type { TestStatus } from '../schema/test-result.ts'
import type { BrokenKey, ForfeitReason } from '../schema/verdict.ts'
import { byText } from './canonical-order.ts'
import type { Evidence } from './evidence.ts'
import { findForged, isArmable } from './forged.ts'
import {
  allPassed,
  armedStatuses,
  type CaseId,
  type LegView,
  legPassed,
  type RunView,
  shownCase,
  viewRun,
} from './run-view.ts'
import { allOf, type Tri, toTri } from './tri.ts'

export interface PatchFinding {
  readonly playable: Tri
  readonly reason: ForfeitReason | null
  /** Sorted by leg and case; only what is certainly broken. */
  readonly broken: readonly BrokenKey[]
  readonly forged: readonly string[]
  readonly flags: readonly string[]
  /** The unknown results that playable hangs on, in words. */
  readonly unknown: readonly string[]
}

/** One leg on the three trees; `golden` is null where the task has none. */
interface LegTriple {
  readonly leg: string
  readonly base: LegView | undefined
  readonly golden: LegView | undefined | null
  readonly patch: LegView | undefined
}

interface Check {
  readonly held: Tri
  readonly broken: BrokenKey | null
  readonly flaky: boolean
}

/** Required is what passed at base and what golden does not break; a thing that is not required holds. */
function demand(required: Tri, found: Tri): Tri {
  if (required === 'no' || found === 'yes') return 'yes'
  return required === 'yes' && found === 'no' ? 'no' : 'unknown'
}

/** The armable processes in which a case must pass when armed too: those that reported it plainly before the patch. */
function armedProcesses({ base, golden, patch }: LegTriple, id: CaseId): readonly [process: string, Tri][] {
  const known = [base, golden, patch].find((view) => view && view.broken === null)
  return [...(known?.processesOf.get(id) ?? [])]
    .map((process): [string, Tri] => [process, isArmable(base, golden, process)])
    .filter(([, armable]) => armable !== 'no')
}

/** A case passes on a tree if it passes plainly, and armed in every process that can be armed. */
function casePassed(view: LegView | undefined, id: CaseId, armed: readonly [string, Tri][]): Tri {
  if (view === undefined) return 'no'
  if (view.broken !== null) return 'unknown'
  return allOf([
    toTri(allPassed(view.plain.get(id))),
    ...armed.map(([process, armable]) =>
      allPassed(armedStatuses(view, process, id)) ? 'yes' : armable === 'yes' ? 'no' : 'unknown',
    ),
  ])
}

/** What was found instead of passed, plainly or else when armed; several words if processes disagree. */
function foundInstead(view: LegView | undefined, id: CaseId, armed: readonly [string, Tri][]): string {
  const inWords = (statuses: readonly TestStatus[] | undefined): string =>
    [...new Set(statuses ?? ['absent'])]
      .filter((status) => status !== 'passed')
      .sort(byText)
      .join(', ')
  const plain = inWords(view?.plain.get(id))
  if (plain !== '') return plain
  const whenArmed = armed
    .map(([process]) => inWords(armedStatuses(view, process, id)))
    .filter((words) => words !== '')
  return `${[...new Set(whenArmed)].sort(byText).join(', ')} when armed`
}

/** The plain and the armed run both report the case and disagree. */
function disagrees(view: LegView | undefined, id: CaseId, armed: readonly [string, Tri][]): boolean {
  const plain = view?.plain.get(id)
  return armed.some(([process]) => {
    const statuses = armedStatuses(view, process, id)
    return plain !== undefined && statuses !== undefined && allPassed(plain) !== allPassed(statuses)
  })
}

function checkCase(triple: LegTriple, id: CaseId): Check {
  const { leg, base, golden, patch } = triple
  const armed = armedProcesses(triple, id)
  const required = allOf([
    casePassed(base, id, armed),
    golden === null ? 'yes' : casePassed(golden, id, armed),
  ])
  const held = demand(required, casePassed(patch, id, armed))
  return {
    held,
    broken: held === 'no' ? { leg, case: shownCase(id), found: foundInstead(patch, id, armed) } : null,
    flaky: held === 'no' && disagrees(patch, id, armed),
  }
}

function checkLeg({ leg, base, golden, patch }: LegTriple): Check {
  const required = allOf([legPassed(base), golden === null ? 'yes' : legPassed(golden)])
  const held = demand(required, legPassed(patch))
  return {
    held,
    broken: held === 'no' ? { leg, case: null, found: patch?.status ?? 'absent' } : null,
    flaky: false,
  }
}

/** With base and golden both broken nobody knows which cases the leg has: some could be missing with the patch. */
const hidesCases = ({ base, golden }: LegTriple): boolean =>
  base !== undefined &&
  base.broken !== null &&
  (golden === null || (golden !== undefined && golden.broken !== null))

function checksOf(triple: LegTriple): readonly Check[] {
  const ids = new Set([triple.base, triple.golden].flatMap((view) => [...(view?.plain.keys() ?? [])]))
  const hidden: readonly Check[] = hidesCases(triple) ? [{ held: 'unknown', broken: null, flaky: false }] : []
  return [checkLeg(triple), ...hidden, ...[...ids].map((id) => checkCase(triple, id))]
}

/** The processes that decide, since they report a case that must keep passing: `unarmed` if some cannot be armed. */
function armingFlags(triples: readonly LegTriple[]): readonly string[] {
  const deciding = triples.flatMap(({ base, golden }) =>
    base === undefined || base.broken !== null
      ? []
      : [...new Set([...base.processesOf.values()].flatMap((processes) => [...processes]))].map((process) =>
          isArmable(base, golden, process),
        ),
  )
  if (!deciding.includes('no')) return []
  return deciding.every((armable) => armable === 'no') ? ['unarmed', 'all-unarmed'] : ['unarmed']
}

function unknownIn(triples: readonly LegTriple[]): readonly string[] {
  const broken = (tree: string, view: LegView | undefined | null): readonly string[] =>
    view && view.broken !== null ? [`${tree}, leg ${view.leg}: ${view.broken}`] : []
  return triples.flatMap(({ base, golden, patch }) => [
    ...broken('base', base),
    ...broken('golden', golden),
    ...broken('patch', patch),
  ])
}

/**
 * Whether a patch may compete: it applies, is not empty, is not forged, and every case and leg that passed at base, and
 * that golden does not break, still runs and passes. Flaky cases, whose plain and armed runs disagree, do not pass.
 */
export function judgePatch(evidence: Evidence): PatchFinding {
  const { submission } = evidence
  const base = viewRun(evidence.base)
  const golden = evidence.golden === null ? null : viewRun(evidence.golden)
  const patch: RunView = evidence.patch === null ? new Map() : viewRun(evidence.patch)
  const legs = [...new Set([...base.keys(), ...(golden?.keys() ?? [])])].sort(byText)
  const triples = legs.map(
    (id): LegTriple => ({
      leg: base.get(id)?.leg ?? golden?.get(id)?.leg ?? id,
      base: base.get(id),
      golden: golden === null ? null : golden.get(id),
      patch: patch.get(id),
    }),
  )

  // Of base and golden alone, so that a forfeit on this machine is as unrated as the rounds beside it.
  const arming = armingFlags(triples)
  const none = { broken: [], forged: [], flags: arming, unknown: [] }
  if (submission.kind === 'forfeit') return { ...none, playable: 'no', reason: submission.reason }
  if (evidence.patch === null)
    return { ...none, playable: 'unknown', reason: null, unknown: ['patch: the workflow was not run'] }

  const processes = findForged(base, golden, patch)
  const forged = processes
    .filter((found) => found.forged === 'yes')
    .map(({ leg, process }) => `${leg}: ${process}`)
    .sort(byText)
  const checks = triples.flatMap(checksOf)
  const playable = allOf([
    ...checks.map((check) => check.held),
    ...processes.map(({ forged }) => (forged === 'yes' ? 'no' : 'unknown') satisfies Tri),
  ])
  const broken = checks
    .flatMap((check) => check.broken ?? [])
    .sort((a, b) => byText(a.leg, b.leg) || byText(a.case ?? '', b.case ?? ''))
  return {
    playable,
    reason: reasonOf(forged, broken),
    broken,
    forged,
    flags: [...arming, ...(checks.some((check) => check.flaky) ? ['flaky'] : [])],
    unknown: playable === 'unknown' ? unknownIn(triples) : [],
  }
}

function reasonOf(forged: readonly string[], broken: readonly BrokenKey[]): ForfeitReason | null {
  if (forged.length > 0) return 'forged'
  if (broken.length === 0) return null
  return broken.some((key) => key.case !== null) ? 'breaks-tests' : 'breaks-leg'
}
