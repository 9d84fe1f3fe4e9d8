import type { Competitor } from '../schema/competitor.ts'
import type { Generation } from '../schema/match.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import { singleFlight } from './limit.ts'
import type { Ask } from './protocols/step.ts'

export interface GenerationPorts {
  /** The id that this generation will have: what it depends on, and nothing else. */
  readonly idOf: (ask: Ask, task: PreparedTask, competitor: Competitor) => string
  readonly find: (id: string) => Promise<Generation | undefined>
  /** Asks the player: the slow and costly part. */
  readonly make: (ask: Ask, task: PreparedTask, competitor: Competitor) => Promise<Generation>
  readonly save: (generation: Generation) => Promise<unknown>
  readonly onMade: (generation: Generation, cached: boolean) => void
}

/**
 * One generation a competitor, task and asking, however many rounds ask for it: made once, kept before it is used, and
 * found after a restart, so that no model is asked twice for the same thing.
 */
export function createGenerations(
  ports: GenerationPorts,
): (ask: Ask, task: PreparedTask, competitor: Competitor) => Promise<Generation> {
  const flights = singleFlight<Generation>()
  return (ask, task, competitor) => {
    const id = ports.idOf(ask, task, competitor)
    return flights(id, async () => {
      const known = await ports.find(id)
      if (known) {
        ports.onMade(known, true)
        return known
      }
      const made = await ports.make(ask, task, competitor)
      await ports.save(made)
      ports.onMade(made, false)
      return made
    })
  }
}
