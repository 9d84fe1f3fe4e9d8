import type { StandingsRequest } from '../../leaderboard/standings.ts'
import { digestOfValue } from '../../src/schema/canonical.ts'
import { CompetitorId } from '../../src/schema/ids.ts'
import type { Round } from '../../src/schema/match.ts'
import type { TestKey, Verdict, VerdictKind } from '../../src/schema/verdict.ts'
import { paperPoints } from '../../src/verdict/points.ts'

const TEST: TestKey = { leg: 'test', file: 'tests/t', case: 't' }
const Y = {
  'submitter-win': 1,
  'reviewer-forfeit': 1,
  'reviewer-win': 0,
  'submitter-forfeit': 0,
  'no-contest': null,
  void: null,
} as const

export interface RoundWorld {
  readonly task?: string
  readonly submitter: string
  readonly reviewer: string
  readonly kind: VerdictKind
  readonly control?: boolean
  /** Whether a test was admitted; by the kind unless given. */
  readonly admitted?: boolean
  readonly verdict?: Partial<Verdict>
  readonly repeat?: number
}

/** A settled round; the battle is that of its task and pair. */
export function roundOf(world: RoundWorld): Round {
  const { task = 't1', submitter, reviewer, kind, control = false, repeat = 0 } = world
  const admitted = world.admitted ?? ['submitter-win', 'reviewer-win', 'submitter-forfeit'].includes(kind)
  const digest = digestOfValue(task)
  return {
    id: digestOfValue({ task, submitter, reviewer, repeat }),
    season: 'demo',
    seasonDigest: digestOfValue('season'),
    battle: digestOfValue([task, ...[submitter, reviewer].sort(), repeat]),
    task: digest,
    taskId: task,
    submitter: CompetitorId.parse(submitter),
    reviewer: CompetitorId.parse(reviewer),
    control,
    patch: digestOfValue({ patch: submitter, task }),
    tests: digestOfValue({ tests: reviewer, task }),
    cells: {
      base: digest,
      golden: digest,
      patch: null,
      testsOnBase: null,
      testsOnCommentedBase: null,
      testsOnGolden: [],
      testsOnPatch: null,
      lintOnGolden: null,
      oracle: null,
    },
    environment: digest,
    verdict: {
      kind,
      y: Y[kind],
      points: paperPoints(kind, false),
      playable: 'yes',
      submitterReason: null,
      reviewerReason: null,
      broken: [],
      forged: [],
      admitted: admitted ? [TEST] : [],
      rejected: [],
      killedBy: [],
      flags: [],
      voidBecause: kind === 'void' ? ['the daemon did not answer'] : [],
      resolved: 'unknown',
      judgeVersion: '1',
      ...world.verdict,
    },
    settledAt: '2025-01-01T00:00:00.000Z',
  }
}

/** Both rounds of a battle: X submits against Y, then Y against X. */
export const battleOf = (
  task: string,
  x: string,
  y: string,
  first: VerdictKind,
  second: VerdictKind,
): readonly Round[] => [
  roundOf({ task, submitter: x, reviewer: y, kind: first }),
  roundOf({ task, submitter: y, reviewer: x, kind: second }),
]

export function requestOf(
  rounds: readonly Round[],
  changes: Partial<StandingsRequest> = {},
): StandingsRequest {
  const ids = [...new Set(rounds.flatMap((round): string[] => [round.submitter, round.reviewer]))].sort()
  const tasks = [...new Set(rounds.map((round) => round.taskId))].sort()
  return {
    season: 'demo',
    title: 'Demo',
    protocol: 'blind',
    tasks: tasks.map((id) => ({ id, language: 'go' })),
    competitors: ids.map((id) => ({ id, label: id, team: id, control: null })),
    rounds,
    anchors: [],
    ...changes,
  }
}
