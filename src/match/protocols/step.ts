import type { Feedback } from '../../schema/feedback.ts'
import type { Generation } from '../../schema/match.ts'

/** One asking of one role, with what the protocol lets it see. */
export interface Ask {
  readonly kind: 'patch' | 'tests'
  /** Which of several drawn from the same asking, from 0. */
  readonly sample: number
  /** In place of the competitor's own. */
  readonly temperature?: number | undefined
  /** The rival's patch, with hints on what it changed most where `hints` is true; null where it is not shown. */
  readonly patch: Generation | null
  readonly hints: boolean
  /** What the role is told of earlier rounds of the battle, oldest first. */
  readonly feedback: readonly Feedback[]
}

/** What a round does next. */
export type Step =
  /** Side by side. */
  | { readonly kind: 'generate'; readonly asks: readonly Ask[] }
  /** One of several patches is chosen, by scores and never by CI. */
  | { readonly kind: 'choose' }
  | { readonly kind: 'run-ci'; readonly tests: 'with-tests' | 'without-tests' }
  | { readonly kind: 'judge' }
  | { readonly kind: 'stop' }

/** A round so far: all that a step may hang on. */
export interface RoundSoFar {
  /** What each role is told of earlier rounds. */
  readonly told: { readonly patch: readonly Feedback[]; readonly tests: readonly Feedback[] }
  /** How many patches the submitter draws, and at what temperature; one at its own where the protocol says nothing else. */
  readonly draws: number
  readonly temperature: number | undefined
  /** In the order of their samples. */
  readonly patches: readonly Generation[]
  /** The patch that plays. */
  readonly chosen: Generation | undefined
  readonly tests: Generation | undefined
  readonly ran: 'nothing' | 'without-tests' | 'with-tests'
  /** Known once CI has run. */
  readonly playable: 'yes' | 'no' | 'unknown' | undefined
  readonly isJudged: boolean
}

export const NOTHING_YET: RoundSoFar = {
  told: { patch: [], tests: [] },
  draws: 1,
  temperature: undefined,
  patches: [],
  chosen: undefined,
  tests: undefined,
  ran: 'nothing',
  playable: undefined,
  isJudged: false,
}

/** A protocol as a pure function: the same round so far gives the same step, and every round comes to `stop`. */
export type NextStep = (soFar: RoundSoFar) => Step

/** An asking that shows nothing but issue and files. */
export const blindAsk = (kind: Ask['kind']): Ask => ({
  kind,
  sample: 0,
  patch: null,
  hints: false,
  feedback: [],
})
