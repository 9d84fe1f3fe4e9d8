import { settleAll } from '../ci/settle-all.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { Feedback } from '../schema/feedback.ts'
import type { Digest } from '../schema/ids.ts'
import type { Generation, Protocol, Round } from '../schema/match.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { Verdict } from '../schema/verdict.ts'
import { decideVerdict } from '../verdict/decide.ts'
import type { Evidence } from '../verdict/evidence.ts'
import { judgePatch } from '../verdict/playable.ts'
import type { Cells } from './cells.ts'
import { type Choice, type Draws, judgeDraw } from './choose.ts'
import { type Collected, collectEvidence } from './collect-evidence.ts'
import { controlOf, type PlannedRound } from './plan.ts'
import { protocols } from './protocols/index.ts'
import { type Ask, NOTHING_YET, type RoundSoFar } from './protocols/step.ts'

/** A task with what all its rounds share. */
export interface TaskInPlay {
  readonly prepared: PreparedTask
  readonly oracleCases: readonly { readonly file: string; readonly case: string }[]
}

export interface RoundPorts {
  /** What a competitor brings when it is asked so, made once and then found: a blind round shares it with all others. */
  readonly generate: (ask: Ask, task: PreparedTask, competitor: Competitor) => Promise<Generation>
  /** Which of several patches plays. */
  readonly choose: (task: PreparedTask, patches: readonly Generation[]) => Promise<Choice>
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
  /** Best of k: how many patches a side draws. */
  readonly draws?: Draws | undefined
}

export interface PlayedRound {
  readonly round: Round
  readonly evidence: Evidence
  readonly patch: Generation
  readonly tests: Generation | null
}

/**
 * One round, as its protocol says: a patch and a set of tests for one task → real CI on every tree that the judge asks for →
 * one verdict. A role that brings nothing usable forfeits, which is a verdict; only a broken world throws.
 */
export async function playRound(
  round: PlannedRound,
  task: TaskInPlay,
  setting: RoundSetting,
  told: { readonly patch: readonly Feedback[]; readonly tests: readonly Feedback[] },
  attempt: number,
  ports: RoundPorts,
): Promise<PlayedRound> {
  const { prepared } = task
  const { next } = protocols[setting.protocol]
  // A control brings one thing, however often it is asked.
  const draws = controlOf(round.submitter) === null ? setting.draws : undefined
  let soFar: RoundSoFar = {
    ...NOTHING_YET,
    told,
    draws: draws?.k ?? 1,
    temperature: draws?.temperature,
  }
  let choice: Choice | undefined
  let collected: Collected | undefined
  let verdict: Verdict | undefined
  for (let step = next(soFar); step.kind !== 'stop'; step = next(soFar)) {
    switch (step.kind) {
      case 'generate': {
        const made = await settleAll(
          step.asks.map((ask) =>
            ports.generate(ask, prepared, ask.kind === 'patch' ? round.submitter : round.reviewer),
          ),
        )
        soFar = {
          ...soFar,
          patches: [...soFar.patches, ...made.filter((_, index) => step.asks[index]?.kind === 'patch')],
          tests: made.find((_, index) => step.asks[index]?.kind === 'tests') ?? soFar.tests,
        }
        break
      }
      case 'choose': {
        choice = draws && (await ports.choose(prepared, soFar.patches))
        soFar = { ...soFar, chosen: soFar.patches[choice?.index ?? 0] }
        break
      }
      case 'run-ci': {
        if (!soFar.chosen) throw new Error('a patch is chosen before CI runs')
        const common = { task: prepared, protocol: setting.protocol, oracleCases: task.oracleCases, attempt }
        const tests = step.tests === 'with-tests' ? (soFar.tests ?? null) : null
        collected = await collectEvidence({ ...common, patch: soFar.chosen, tests, cells: ports.cells })
        soFar = { ...soFar, ran: step.tests, playable: judgePatch(collected.evidence).playable }
        break
      }
      case 'judge':
        verdict = collected && decideVerdict(collected.evidence)
        soFar = { ...soFar, isJudged: true }
        break
    }
  }
  const { chosen, ran } = soFar
  if (!collected || !verdict || !chosen) throw new Error('a round ends with a verdict')
  const { evidence, cells } = collected
  const tests = ran === 'with-tests' ? (soFar.tests ?? null) : null
  const draw =
    draws && choice
      ? await judgeDraw({ draws, choice, patches: soFar.patches, task, attempt, cells: ports.cells })
      : undefined
  return {
    evidence,
    patch: chosen,
    tests,
    round: {
      id: round.id,
      season: setting.season as Round['season'],
      seasonDigest: setting.seasonDigest as Round['seasonDigest'],
      battle: setting.battle,
      task: prepared.loaded.digest as Round['task'],
      taskId: prepared.loaded.task.id,
      submitter: round.submitter.id,
      reviewer: round.reviewer.id,
      control: round.control,
      ...(round.turn === undefined ? {} : { turn: round.turn }),
      patch: chosen.id,
      tests: tests?.id ?? null,
      ...(draw ? { draw } : {}),
      cells,
      environment: ports.environment as Round['environment'],
      verdict,
      settledAt: new Date(ports.now()).toISOString(),
    },
  }
}
