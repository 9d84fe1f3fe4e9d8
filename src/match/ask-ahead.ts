import { mapLimited } from './limit.ts'
import type { PlannedBattle, PlannedRound } from './plan.ts'
import type { Ask } from './protocols/step.ts'
import type { RoundPorts, TaskInPlay } from './round.ts'

/** Of one competitor at once: how many really are is its endpoint's pace. */
const LANES = 32

interface Asking {
  readonly ask: Ask
  readonly task: TaskInPlay
  readonly competitor: PlannedRound['submitter']
}

export interface Ahead {
  /** No more is begun; resolves when what was begun has ended. Never throws. */
  stop(): Promise<void>
}

/**
 * Asks roles that wait for nobody ahead of their battles, in the battles' order, so that no endpoint is idle while CI works. Each
 * is made once and then found by its rounds, which also meet what goes wrong with it. `asksOf`: what may be asked ahead.
 */
export function askAhead(
  battles: readonly PlannedBattle[],
  taskOf: (digest: string) => TaskInPlay | undefined,
  asksOf: (competitor: PlannedRound['submitter'], kind: Ask['kind']) => readonly Ask[],
  generate: RoundPorts['generate'],
): Ahead {
  const byCompetitor = new Map<string, Map<string, Asking>>()
  const add = (asking: Asking): void => {
    const { id } = asking.competitor
    const known = byCompetitor.get(id) ?? new Map<string, Asking>()
    byCompetitor.set(id, known)
    const name = `${asking.ask.kind} ${asking.ask.sample} ${asking.task.prepared.loaded.digest}`
    if (!known.has(name)) known.set(name, asking)
  }
  for (const { taskDigest, rounds } of battles) {
    const task = taskOf(taskDigest)
    if (!task) continue
    for (const { submitter, reviewer } of rounds) {
      for (const ask of asksOf(submitter, 'patch')) add({ ask, task, competitor: submitter })
      for (const ask of asksOf(reviewer, 'tests')) add({ ask, task, competitor: reviewer })
    }
  }
  let isStopped = false
  const askOne = async ({ ask, task, competitor }: Asking): Promise<void> => {
    if (isStopped) return
    // Its round asks for the same and meets the same fault.
    await generate(ask, task.prepared, competitor).catch(() => undefined)
  }
  const done = Promise.all(
    [...byCompetitor.values()].map((askings) => mapLimited([...askings.values()], LANES, askOne)),
  )
  return {
    async stop() {
      isStopped = true
      await done
    },
  }
}
