import { settleAll } from '../ci/settle-all.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { Digest } from '../schema/ids.ts'
import type { Generation, Protocol, Round } from '../schema/match.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import { decideVerdict } from '../verdict/decide.ts'
import type { Cells } from './cells.ts'
import { collectEvidence } from './collect-evidence.ts'
import type { PlannedRound } from './plan.ts'

/** A task with what all its rounds share. */
export interface TaskInPlay {
  readonly prepared: PreparedTask
  readonly oracleCases: readonly { readonly file: string; readonly case: string }[]
}

export interface RoundPorts {
  /** One patch or test set for a competitor and task, made once and then found: a blind round shares it with all others. */
  readonly generate: (
    kind: 'patch' | 'tests',
    task: PreparedTask,
    competitor: Competitor,
  ) => Promise<Generation>
  readonly cells: Cells
  readonly environment: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export interface RoundSetting {
  readonly season: string
  readonly seasonDigest: string
  readonly battle: Digest
  readonly protocol: Protocol
}

/**
 * One round: a patch and a set of tests for one task → real CI on every tree that the judge asks for → one verdict.
 * A role that brings nothing usable forfeits, which is a verdict; only a broken world throws.
 */
export async function playRound(
  round: PlannedRound,
  task: TaskInPlay,
  setting: RoundSetting,
  attempt: number,
  ports: RoundPorts,
): Promise<Round> {
  const { prepared } = task
  const [patch, tests] = await settleAll([
    ports.generate('patch', prepared, round.submitter),
    ports.generate('tests', prepared, round.reviewer),
  ])
  const { evidence, cells } = await collectEvidence({
    task: prepared,
    protocol: setting.protocol,
    patch,
    tests,
    oracleCases: task.oracleCases,
    cells: ports.cells,
    attempt,
  })
  const verdict = decideVerdict(evidence)
  return {
    id: round.id,
    season: setting.season,
    seasonDigest: setting.seasonDigest as Round['seasonDigest'],
    battle: setting.battle,
    task: prepared.loaded.digest as Round['task'],
    taskId: prepared.loaded.task.id,
    submitter: round.submitter.id,
    reviewer: round.reviewer.id,
    control: round.control,
    patch: patch.id,
    tests: tests.id,
    cells,
    environment: ports.environment as Round['environment'],
    verdict,
    settledAt: new Date(ports.now()).toISOString(),
  }
}
