import { isSighted, type Protocol } from '../schema/match.ts'
import type { TestKey, Verdict } from '../schema/verdict.ts'
import { byText, keyText } from './canonical-order.ts'
import { yOf } from './decide.ts'
import { paperPoints } from './points.ts'

/** What the court asks of a round, as it was judged without a court. */
export interface CourtRound {
  readonly id: string
  readonly taskId: string
  readonly submitter: string
  readonly reviewer: string
  readonly control: boolean
  readonly verdict: Pick<Verdict, 'kind' | 'playable' | 'resolved' | 'admitted' | 'killedBy' | 'undecided'>
}

export interface CourtRequest {
  readonly protocol: Protocol
  /** A competitor's registered owner. */
  readonly teamOf: (competitor: string) => string
  /** Every round of the season, in any order; those with a control are passed over, since controls are no team. */
  readonly rounds: readonly CourtRound[]
}

/** A test that asks for more than the issue does. */
export interface OverSpecified {
  readonly task: string
  readonly reviewer: string
  readonly key: TestKey
  /** Right patches of other teams that it fails, of how many, and of how many teams. */
  readonly fails: number
  readonly of: number
  readonly teams: number
}

export interface JudgedKill {
  readonly round: string
  readonly task: string
  readonly submitter: string
  readonly reviewer: string
  /** Whether somebody else's word stands beside the reviewer's. */
  readonly kind: 'corroborated' | 'contested'
  /** Whose: the upstream tests, or a third team's test. */
  readonly by: 'oracle' | { readonly reviewer: string; readonly key: TestKey } | null
}

export interface CourtFinding {
  /** Null when it was held; else why not. */
  readonly notHeld: string | null
  readonly overSpecified: readonly OverSpecified[]
  readonly kills: readonly JudgedKill[]
}

/** Teams that a court needs. */
export const COURT_TEAMS = 3

type Resolved = Verdict['resolved']

/** One task's tests and patches, and what is known of each of the former on each of the latter. */
interface Docket {
  readonly task: string
  /** By submitter: only playable patches. */
  readonly resolved: Map<string, Resolved>
  /** Author, then key, then submitter → whether it passed. */
  readonly tests: Map<string, Map<string, { readonly key: TestKey; readonly passed: Map<string, boolean> }>>
  readonly kills: CourtRound[]
}

/** Rounds that disagree say nothing: one of them was broken. */
const agreed = (before: Resolved | undefined, now: Resolved): Resolved => {
  if (before === undefined || before === 'unknown') return now
  return now === 'unknown' || now === before ? before : 'unknown'
}

function docketsOf(rounds: readonly CourtRound[]): readonly Docket[] {
  const dockets = new Map<string, Docket>()
  for (const round of rounds) {
    const { taskId: task, submitter, reviewer, verdict } = round
    if (round.control || verdict.playable !== 'yes' || verdict.kind === 'void') continue
    const docket: Docket = dockets.get(task) ?? { task, resolved: new Map(), tests: new Map(), kills: [] }
    dockets.set(task, docket)
    docket.resolved.set(submitter, agreed(docket.resolved.get(submitter), verdict.resolved))
    if (verdict.kind === 'reviewer-win' && submitter !== reviewer) docket.kills.push(round)
    const own = docket.tests.get(reviewer) ?? new Map()
    docket.tests.set(reviewer, own)
    const killing = new Set(verdict.killedBy.map(keyText))
    const undecided = new Set(verdict.undecided?.map(keyText))
    for (const key of verdict.admitted) {
      const name = keyText(key)
      if (undecided.has(name)) continue
      const known = own.get(name) ?? { key, passed: new Map() }
      own.set(name, known)
      known.passed.set(submitter, !killing.has(name))
    }
  }
  return [...dockets.values()].sort((a, b) => byText(a.task, b.task))
}

function overSpecifiedIn(docket: Docket, teamOf: CourtRequest['teamOf']): readonly OverSpecified[] {
  return [...docket.tests]
    .sort(([a], [b]) => byText(a, b))
    .flatMap(([reviewer, tests]) =>
      [...tests]
        .sort(([a], [b]) => byText(a, b))
        .flatMap(([, { key, passed }]): readonly OverSpecified[] => {
          const right = [...passed].filter(
            ([submitter]) =>
              docket.resolved.get(submitter) === 'yes' && teamOf(submitter) !== teamOf(reviewer),
          )
          const failing = right.filter(([, passes]) => !passes)
          const teams = new Set(failing.map(([submitter]) => teamOf(submitter))).size
          if (teams < 2 || 2 * failing.length <= right.length) return []
          return [{ task: docket.task, reviewer, key, fails: failing.length, of: right.length, teams }]
        }),
    )
}

/** The first third team, by name, whose fair test fails the patch too. */
function witnessAgainst(
  { submitter, reviewer }: CourtRound,
  docket: Docket,
  unfair: ReadonlySet<string>,
  teamOf: CourtRequest['teamOf'],
): JudgedKill['by'] {
  if (docket.resolved.get(submitter) === 'no') return 'oracle'
  for (const [author, tests] of [...docket.tests].sort(([a], [b]) => byText(a, b))) {
    if ([teamOf(submitter), teamOf(reviewer)].includes(teamOf(author))) continue
    for (const [name, { key, passed }] of [...tests].sort(([a], [b]) => byText(a, b)))
      if (passed.get(submitter) === false && !unfair.has(`${author} ${name}`))
        return { reviewer: author, key }
  }
  return null
}

/**
 * Holds the kill court over a whole season. Every admitted test is looked at on every playable patch of its task that it
 * was run on. *Over-specified*: it fails patches that the upstream tests call right, of at least two teams other than its
 * author's, and more than half of all such patches. A kill is *corroborated* when the upstream tests, or a test that is
 * not over-specified by a team that is neither side's, fail the patch too. Results that infrastructure broke count for
 * nothing. It sees verdicts as they were judged, never an earlier court's, so that repeating it changes nothing.
 */
export function holdCourt({ protocol, teamOf, rounds }: CourtRequest): CourtFinding {
  const none = { overSpecified: [], kills: [] }
  if (isSighted(protocol))
    return { ...none, notHeld: 'its protocol is not blind: tests are written for one patch' }
  const between = rounds.filter(({ control }) => !control)
  const teams = new Set(between.flatMap(({ submitter, reviewer }) => [teamOf(submitter), teamOf(reviewer)]))
  if (teams.size < COURT_TEAMS)
    return { ...none, notHeld: `it has ${teams.size} teams, and a court needs ${COURT_TEAMS}` }
  const dockets = docketsOf(between)
  if (!dockets.some(({ resolved }) => [...resolved.values()].some((answer) => answer !== 'unknown')))
    return { ...none, notHeld: 'no upstream tests say which patches are right' }
  const overSpecified = dockets.flatMap((docket) => overSpecifiedIn(docket, teamOf))
  const kills = dockets.flatMap((docket) => {
    const unfair = new Set(
      overSpecified
        .filter(({ task }) => task === docket.task)
        .map(({ reviewer, key }) => `${reviewer} ${keyText(key)}`),
    )
    return docket.kills.map((round): JudgedKill => {
      const by = witnessAgainst(round, docket, unfair, teamOf)
      return {
        round: round.id,
        task: round.taskId,
        submitter: round.submitter,
        reviewer: round.reviewer,
        kind: by === null ? 'contested' : 'corroborated',
        by,
      }
    })
  })
  return {
    notHeld: null,
    overSpecified,
    kills: kills.sort((a, b) => byText(a.round, b.round)),
  }
}

/** The keys of one author on one task that the court found over-specified: the judge's argument for a round. */
export const overSpecifiedFor = (
  { overSpecified }: CourtFinding,
  { taskId, reviewer }: { readonly taskId: string; readonly reviewer: string },
): readonly TestKey[] =>
  overSpecified.filter((found) => found.task === taskId && found.reviewer === reviewer).map(({ key }) => key)

type CourtVerdict = Pick<Verdict, 'kind' | 'y' | 'points' | 'resolved' | 'killedBy' | 'undecided' | 'flags'>

/**
 * The verdict after the court, as the judge gives it with the list as an argument: on a patch that the upstream tests call
 * right, an over-specified test counts as passed. It can only turn a reviewer-win into a submitter-win, and makes no
 * forfeit. Where a fair test's result on the patch is not known, the kill stands. The same object when nothing changes.
 */
export function afterCourt<V extends CourtVerdict>(verdict: V, overSpecified: readonly TestKey[]): V {
  if (verdict.kind !== 'reviewer-win' || verdict.resolved !== 'yes' || overSpecified.length === 0)
    return verdict
  const excused = new Set(overSpecified.map(keyText))
  const killedBy = verdict.killedBy.filter((key) => !excused.has(keyText(key)))
  if (killedBy.length === verdict.killedBy.length) return verdict
  const flags = [...new Set([...verdict.flags, 'over-specified'])].sort(byText)
  if (killedBy.length > 0) return { ...verdict, killedBy, flags }
  if (verdict.undecided?.some((key) => !excused.has(keyText(key)))) return verdict
  const kind = 'submitter-win'
  return { ...verdict, kind, y: yOf(kind), points: paperPoints(kind, false), killedBy, flags }
}
