import type { ArenaQueries } from '../../src/api/queries.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import type { ControlRow, StandingRow, Standings } from '../../src/schema/rating.ts'
import type { ForfeitReason, VerdictKind } from '../../src/schema/verdict.ts'
import type { RoundSummary, RoundView } from '../../src/schema/view.ts'
import {
  pointsOf,
  type RoundPlan,
  roundIdOf,
  roundViewOf,
  SEASON,
  SETTLED_AT,
  verdictOf,
} from './view-rounds.ts'

const TASKS = [
  { id: 'cpp-ring-buffer', language: 'cpp' },
  { id: 'python-duration', language: 'python' },
  { id: 'rust-toml-escape', language: 'rust' },
  { id: 'go-glob', language: 'go' },
] as const

interface Player {
  readonly id: string
  readonly label: string
  /** Why its patches are not playable; null for those that are. */
  readonly patch: ForfeitReason | null
  /** A playable patch that sharp tests kill. */
  readonly isWeak: boolean
  readonly tests: ForfeitReason | null
  readonly areSharp: boolean
}

const player = (id: string, label: string, rest: Partial<Player> = {}): Player => ({
  id,
  label,
  patch: null,
  isWeak: false,
  tests: null,
  areSharp: false,
  ...rest,
})

const PLAYERS: readonly Player[] = [
  player('root-cause', 'Root cause', { areSharp: true }),
  player('symptom-only', 'Symptom only', { isWeak: true }),
  player('collateral', 'Collateral damage', { patch: 'breaks-tests', areSharp: true }),
  player('wrong-context', 'Wrong context', { patch: 'does-not-apply', tests: 'not-admitted' }),
  player('forger', 'Forger', { patch: 'forged', tests: 'no-cases' }),
  player('one-line-fix@2', 'One-line fix', { isWeak: true, tests: 'not-admitted' }),
]
const CONTROL_PATCHES = [
  player('golden', 'Control: golden patch'),
  player('no-op', 'Control: no-op', { isWeak: true }),
]
const CONTROL_TESTS = [
  player('upstream-tests', 'Control: upstream tests', { areSharp: true }),
  player('empty-tests', 'Control: empty tests', { tests: 'no-cases' }),
  player('always-fail-tests', 'Control: always-fail tests', { tests: 'not-admitted' }),
]

function kindOf(submitter: Player, reviewer: Player): VerdictKind {
  if (submitter.patch) return reviewer.tests ? 'no-contest' : 'submitter-forfeit'
  if (reviewer.tests) return 'reviewer-forfeit'
  return submitter.isWeak && reviewer.areSharp ? 'reviewer-win' : 'submitter-win'
}

function planOf(
  task: (typeof TASKS)[number],
  submitter: Player,
  reviewer: Player,
  control: boolean,
): RoundPlan {
  const isVoid = task.language === 'go' && submitter.id === 'root-cause' && reviewer.id === 'symptom-only'
  return {
    taskId: task.id,
    language: task.language,
    submitter: submitter.id,
    reviewer: reviewer.id,
    control,
    kind: isVoid ? 'void' : kindOf(submitter, reviewer),
    submitterReason: submitter.patch,
    reviewerReason: reviewer.tests,
  }
}

/** Every ordered pair on every task, and the controls against everybody. */
function plansOf(): readonly RoundPlan[] {
  return TASKS.flatMap((task) => [
    ...PLAYERS.flatMap((a) => PLAYERS.filter((b) => b !== a).map((b) => planOf(task, a, b, false))),
    ...CONTROL_PATCHES.flatMap((a) => [...PLAYERS, ...CONTROL_TESTS].map((b) => planOf(task, a, b, true))),
    ...CONTROL_TESTS.flatMap((b) => PLAYERS.map((a) => planOf(task, a, b, true))),
  ])
}

function summaryOf(plan: RoundPlan): RoundSummary {
  const verdict = verdictOf(plan)
  return {
    id: roundIdOf(plan),
    taskId: plan.taskId,
    language: plan.language,
    submitter: plan.submitter,
    reviewer: plan.reviewer,
    verdict: plan.kind,
    control: plan.control,
    submitterPoints: verdict.points.submitter,
    reviewerPoints: verdict.points.reviewer,
    admitted: verdict.admitted.length,
    killedBy: verdict.killedBy.map((key) => key.case),
    settledAt: SETTLED_AT,
  }
}

function rowOf(player: Player, plans: readonly RoundPlan[]): StandingRow {
  const asPatch = plans.filter(({ submitter }) => submitter === player.id)
  const asTests = plans.filter(({ reviewer }) => reviewer === player.id)
  const patchPoints = asPatch.reduce((sum, { kind }) => sum + pointsOf(kind).submitter, 0)
  const reviewPoints = asTests.reduce((sum, { kind }) => sum + pointsOf(kind).reviewer, 0)
  const rating = 1500 + 14 * (patchPoints + reviewPoints)
  return {
    competitor: player.id,
    label: player.label,
    state: player.id === 'forger' ? 'record' : 'provisional',
    points: patchPoints + reviewPoints,
    patchPoints,
    reviewPoints,
    rating: player.id === 'forger' ? null : rating,
    low: player.id === 'forger' ? null : rating - 160 - player.id.length * 6,
    high: player.id === 'forger' ? null : rating + 160 + player.id.length * 4,
    se: player.id === 'forger' ? null : 80,
    bounded: player.id === 'forger' ? null : 'both',
    rankBest: null,
    rankWorst: null,
    patchRating: player.id === 'forger' ? null : patchPoints * 9,
    reviewRating: player.id === 'forger' ? null : reviewPoints * 9,
    battles: 20,
    wins: 8 + Math.max(0, patchPoints >> 2),
    losses: 6,
    draws: 6,
    rounds: asPatch.length + asTests.length,
    voids: [...asPatch, ...asTests].filter(({ kind }) => kind === 'void').length,
    forfeits:
      asPatch.filter(({ submitterReason }) => submitterReason).length +
      asTests.filter(({ reviewerReason }) => reviewerReason).length,
    resolvedShare: player.patch ? 0 : player.isWeak ? 0.25 : 1,
    escapeRate: null,
    falseKillRate: null,
    contestedShare: null,
    tasks: TASKS.length,
    opponents: PLAYERS.length - 1,
  }
}

const control = (
  name: string,
  role: ControlRow['role'],
  survived: number | null,
  expected: string,
): ControlRow => ({
  control: name,
  role,
  rounds: 24,
  counted: survived === null ? 0 : 12,
  survived,
  expected,
  holds: true,
})

function standingsOf(plans: readonly RoundPlan[]): Standings {
  const rated = plans.filter((plan) => !plan.control)
  return {
    season: SEASON,
    title: 'Spring season',
    protocol: 'blind',
    tasks: [...TASKS],
    rows: PLAYERS.map((one) => rowOf(one, rated)).sort((a, b) => b.points - a.points),
    court: { notHeld: null, overSpecified: [], kills: { corroborated: 9, contested: 1 }, changed: [] },
    asJudged: null,
    controls: [
      control('golden', 'submitter', 1, 'always survives'),
      control('no-op', 'submitter', 0, 'never survives'),
      control('upstream-tests', 'reviewer', 0.4, 'always admitted'),
      control('empty-tests', 'reviewer', null, 'never admitted'),
      control('always-fail-tests', 'reviewer', null, 'never admitted'),
    ],
    rounds: rated.length,
    battles: rated.length / 2,
    voidRounds: rated.filter(({ kind }) => kind === 'void').length,
    remarks: [
      'Provisional: 4 tasks are too few for ranks, which need 30. The order is that of the points.',
      'Without anchors, 1500 is the mean of the competitors that are rated.',
    ],
  }
}

export interface FakeArena {
  readonly queries: ArenaQueries
  readonly standings: Standings
  readonly rounds: readonly RoundSummary[]
  /** The whole id of a round that ended so. */
  idOf(kind: VerdictKind): string
}

/** A played season in memory. `change` may spoil a round's page. */
export function fakeArena(change: (view: RoundView) => RoundView = (view) => view): FakeArena {
  const plans = plansOf()
  const standings = standingsOf(plans)
  const rounds = plans.map(summaryOf)
  const labels = new Map(
    [...PLAYERS, ...CONTROL_PATCHES, ...CONTROL_TESTS].map(({ id, label }) => [id, label]),
  )
  const isSeason = (id: string | undefined): boolean => id === undefined || id === SEASON
  return {
    standings,
    rounds,
    idOf(kind) {
      const plan = plans.find((candidate) => candidate.kind === kind && !candidate.control)
      if (!plan) throw new Error(`no round ended as ${kind}`)
      return roundIdOf(plan)
    },
    queries: {
      seasons: async () => [{ id: SEASON, title: standings.title }],
      standings: async (id) => (isSeason(id) ? standings : undefined),
      rounds: async (id) => (isSeason(id) ? rounds : []),
      round: async (id) => {
        const plan = plans.find((candidate) => roundIdOf(candidate) === id)
        return plan && change(roundViewOf(plan, labels))
      },
      log: async (digest) =>
        digest === LOG ? Buffer.from('<b>bold</b> \u001b[31mred\u001b[0m \ufffd', 'utf8') : undefined,
    },
  }
}

/** The one log that is kept. */
export const LOG: string = digestOf('log test (3.11) Test')

/** An arena that has not played. */
export const emptyArena: ArenaQueries = {
  seasons: async () => [],
  standings: async () => undefined,
  rounds: async () => [],
  round: async () => undefined,
  log: async () => undefined,
}
