import type { Protocol } from '../../schema/match.ts'
import { nextBlindStep } from './blind.ts'
import { nextPaperStep, nextSightedStep } from './sighted.ts'
import type { NextStep } from './step.ts'

/** How a battle is played under a protocol. */
export interface ProtocolRules {
  readonly next: NextStep
  /** Rounds of a battle in which each side has each role. */
  readonly roundsPerRole: number
  /** Rounds follow each other, and each role is told how its earlier ones ended. */
  readonly isInTurn: boolean
  /** Roles that wait for nobody, and may be asked before their battle begins. */
  readonly ahead: readonly ('patch' | 'tests')[]
}

const SWAP = { roundsPerRole: 1, isInTurn: false }

export const protocols: Readonly<Record<Protocol, ProtocolRules>> = {
  blind: { ...SWAP, next: nextBlindStep, ahead: ['patch', 'tests'] },
  'best-of-k': { ...SWAP, next: nextBlindStep, ahead: ['patch', 'tests'] },
  sighted: { ...SWAP, next: nextSightedStep, ahead: ['patch'] },
  paper: { next: nextPaperStep, roundsPerRole: 5, isInTurn: true, ahead: [] },
}
