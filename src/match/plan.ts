import { digestOfValue } from '../schema/canonical.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { Digest } from '../schema/ids.ts'
import type { Protocol } from '../schema/match.ts'
import { protocols } from './protocols/index.ts'

export interface PlannedRound {
  readonly id: Digest
  readonly taskDigest: string
  readonly submitter: Competitor
  readonly reviewer: Competitor
  /** With a control on either side: shown apart, never rated. */
  readonly control: boolean
  /** Its place in a battle whose rounds follow each other, from 1. */
  readonly turn?: number | undefined
}

/** One task, two competitors, and their rounds, roles swapped from one to the next; a control battle has one round. */
export interface PlannedBattle {
  readonly id: Digest
  readonly taskDigest: string
  readonly rounds: readonly PlannedRound[]
}

export interface PlanRequest {
  readonly seasonDigest: string
  readonly taskDigests: readonly string[]
  readonly competitors: readonly Competitor[]
  readonly controls: readonly Competitor[]
  readonly repeat: number
  /** Whether each patch also meets its own competitor's tests, in battles of one round. */
  readonly selfPlay?: boolean | undefined
  readonly protocol: Protocol
}

type ControlName = 'golden' | 'no-op' | 'upstream-tests' | 'empty-tests' | 'always-fail-tests'

const SUBMITTING: readonly ControlName[] = ['golden', 'no-op']

export const controlOf = (competitor: Competitor): ControlName | null =>
  competitor.player.kind === 'control' ? competitor.player.control : null

const submits = (competitor: Competitor): boolean => {
  const control = controlOf(competitor)
  return control === null || SUBMITTING.includes(control)
}
const reviews = (competitor: Competitor): boolean => {
  const control = controlOf(competitor)
  return control === null || !SUBMITTING.includes(control)
}

/**
 * Every battle of a season, in a fixed order: on each task every pair of competitors with the roles swapped, as often as the
 * protocol says, then self-play, then the controls: as submitter against every reviewer, as reviewer against every submitter. Ids
 * are digests of the season, task, sides and turn, so that a season that is played again finds its rounds.
 */
export function planSeason(request: PlanRequest): readonly PlannedBattle[] {
  const { seasonDigest, repeat } = request
  const { roundsPerRole, isInTurn } = protocols[request.protocol]
  const roundOf = (
    taskDigest: string,
    submitter: Competitor,
    reviewer: Competitor,
    place = 1,
  ): PlannedRound => {
    const turn = isInTurn ? { turn: place } : {}
    const sides = { submitter: submitter.id, reviewer: reviewer.id }
    return {
      id: digestOfValue({ seasonDigest, taskDigest, ...sides, repeat, ...turn }),
      taskDigest,
      submitter,
      reviewer,
      control: controlOf(submitter) !== null || controlOf(reviewer) !== null,
      ...turn,
    }
  }
  const places = Array.from({ length: roundsPerRole }, (_, index) => index)
  const battleOf = (taskDigest: string, rounds: readonly PlannedRound[]): PlannedBattle => ({
    id: digestOfValue({ battle: rounds.map((round) => round.id).sort() }),
    taskDigest,
    rounds,
  })
  return request.taskDigests.flatMap((taskDigest) => {
    const battles: PlannedBattle[] = []
    const { competitors } = request
    competitors.forEach((a, index) => {
      for (const b of competitors.slice(index + 1))
        battles.push(
          battleOf(
            taskDigest,
            places.flatMap((place) => [
              roundOf(taskDigest, a, b, 2 * place + 1),
              roundOf(taskDigest, b, a, 2 * place + 2),
            ]),
          ),
        )
    })
    if (request.selfPlay)
      for (const competitor of competitors)
        battles.push(
          battleOf(
            taskDigest,
            places.map((place) => roundOf(taskDigest, competitor, competitor, place + 1)),
          ),
        )
    const everybody = [...competitors, ...request.controls]
    for (const control of request.controls)
      for (const other of everybody) {
        if (controlOf(control) !== null && submits(control) && reviews(other))
          battles.push(battleOf(taskDigest, [roundOf(taskDigest, control, other)]))
        // Two controls meet once: the submitting one has planned it.
        if (reviews(control) && submits(other) && controlOf(other) === null)
          battles.push(battleOf(taskDigest, [roundOf(taskDigest, other, control)]))
      }
    return battles
  })
}
