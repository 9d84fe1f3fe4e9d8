import { settleAll } from '../ci/settle-all.ts'
import type { Feedback } from '../schema/feedback.ts'
import type { Round } from '../schema/match.ts'
import { type FeedbackPorts, feedbackOf } from './feedback.ts'
import type { PlannedBattle } from './plan.ts'
import { protocols } from './protocols/index.ts'
import { playRound, type RoundPorts, type RoundSetting, type TaskInPlay } from './round.ts'

/** A void battle is played again with the same generations at most this often, then closed as void. */
export const MAX_REQUEUES = 3

export interface BattleResult {
  readonly rounds: readonly Round[]
  readonly state: 'settled' | 'void-closed'
  /** How often it was played, the last time included. */
  readonly tries: number
}

export type BattlePorts = RoundPorts & FeedbackPorts

type Setting = Omit<RoundSetting, 'battle'>

const NOTHING_TOLD = { patch: [], tests: [] }

const isVoid = ({ verdict }: Round): boolean => verdict.kind === 'void'

/**
 * Rounds that follow each other: each role is told how its earlier rounds ended. A void ends this try, since what follows
 * hangs on it; only the last try goes on, so that the battle has all its rounds.
 */
async function playInTurn(
  battle: PlannedBattle,
  task: TaskInPlay,
  setting: RoundSetting,
  attempt: number,
  ports: BattlePorts,
): Promise<readonly Round[]> {
  const rounds: Round[] = []
  const told: { readonly competitor: string; readonly feedback: Feedback }[] = []
  const toldTo = (kind: Feedback['kind'], competitor: string): readonly Feedback[] =>
    told.flatMap((one) => (one.competitor === competitor && one.feedback.kind === kind ? [one.feedback] : []))
  for (const planned of battle.rounds) {
    const { submitter, reviewer } = planned
    const toRoles = { patch: toldTo('patch', submitter.id), tests: toldTo('tests', reviewer.id) }
    const played = await playRound(planned, task, setting, toRoles, attempt, ports)
    rounds.push(played.round)
    if (isVoid(played.round) && attempt < MAX_REQUEUES) break
    const { patch, tests } = await feedbackOf(played, planned.turn ?? rounds.length, ports)
    told.push({ competitor: submitter.id, feedback: patch })
    if (tests) told.push({ competitor: reviewer.id, feedback: tests })
  }
  return rounds
}

/**
 * Plays a battle's rounds side by side or in turn, as its protocol says, and all of them again while one is void: a void
 * round drops its whole battle.
 */
export async function playBattle(
  battle: PlannedBattle,
  task: TaskInPlay,
  setting: Setting,
  ports: BattlePorts,
): Promise<BattleResult> {
  const inBattle: RoundSetting = { ...setting, battle: battle.id }
  for (let attempt = 0; ; attempt++) {
    const rounds = protocols[setting.protocol].isInTurn
      ? await playInTurn(battle, task, inBattle, attempt, ports)
      : (
          await settleAll(
            battle.rounds.map((round) => playRound(round, task, inBattle, NOTHING_TOLD, attempt, ports)),
          )
        ).map(({ round }) => round)
    if (!rounds.some(isVoid)) return { rounds, state: 'settled', tries: attempt + 1 }
    if (attempt === MAX_REQUEUES) return { rounds, state: 'void-closed', tries: attempt + 1 }
  }
}
