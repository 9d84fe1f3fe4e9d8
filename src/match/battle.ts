import { settleAll } from '../ci/settle-all.ts'
import type { Round } from '../schema/match.ts'
import type { PlannedBattle } from './plan.ts'
import { playRound, type RoundPorts, type RoundSetting, type TaskInPlay } from './round.ts'

/** A void battle is played again with the same generations at most this often, then closed as void. */
export const MAX_REQUEUES = 3

export interface BattleResult {
  readonly rounds: readonly Round[]
  readonly state: 'settled' | 'void-closed'
  /** How often it was played, the last time included. */
  readonly tries: number
}

/**
 * Plays a battle's rounds side by side, and all of them again while one is void: a void round drops its whole battle.
 */
export async function playBattle(
  battle: PlannedBattle,
  task: TaskInPlay,
  setting: Omit<RoundSetting, 'battle'>,
  ports: RoundPorts,
): Promise<BattleResult> {
  for (let attempt = 0; ; attempt++) {
    const rounds = await settleAll(
      battle.rounds.map((round) => playRound(round, task, { ...setting, battle: battle.id }, attempt, ports)),
    )
    const isVoid = rounds.some((round) => round.verdict.kind === 'void')
    if (!isVoid) return { rounds, state: 'settled', tries: attempt + 1 }
    if (attempt === MAX_REQUEUES) return { rounds, state: 'void-closed', tries: attempt + 1 }
  }
}
