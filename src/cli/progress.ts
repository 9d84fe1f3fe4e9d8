import type { ArenaEvent, OnEvent } from '../schema/event.ts'

export interface ProgressOptions {
  readonly write: (text: string) => void
  /** Whether the last line can be rewritten. */
  readonly live: boolean
  /** Milliseconds since some start. */
  readonly now: () => number
  readonly columns: () => number
}

export interface Progress {
  readonly onEvent: OnEvent
  /** Clears the line that is rewritten. */
  end(): void
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`

/** A line that stays, or null for what only moves the rewritten line. */
function lineOf(event: ArenaEvent): string | null {
  switch (event.kind) {
    case 'season-started':
      return `${event.season}: ${event.rounds} rounds, ${event.competitors} competitors, ${event.tasks} tasks`
    case 'task-left-out':
      return `left out ${event.task}: ${event.reason}`
    case 'estimate':
      return `${event.competitor}: ${event.leastCalls} to ${event.mostCalls} calls, about ${event.leastPromptTokens} to ${event.mostPromptTokens} prompt tokens, at most ${event.mostOutputTokens} answer tokens`
    case 'warning':
      return `warning: ${event.message}`
    default:
      return null
  }
}

/**
 * Shows what the arena does. On a terminal one line is rewritten: rounds done, cells, what runs now. Elsewhere a line
 * at the start of each task and for each tenth of the rounds, so that a log stays short.
 */
export function createProgress(options: ProgressOptions): Progress {
  const startedAt = options.now()
  const running = new Map<string, number>()
  let done = 0
  let total = 0
  let ran = 0
  let found = 0
  let calls = ''
  let shownTenth = -1
  let drawn = false

  const clear = (): void => {
    if (drawn) options.write('\r\x1b[2K')
    drawn = false
  }
  const status = (): string => {
    const now = [...running.keys()].slice(0, 2).join(' · ')
    return `[${seconds(options.now() - startedAt)}] rounds ${done}/${total} · cells ${ran} run, ${found} found${now ? ` · ${now}` : ''}${calls}`
  }
  const draw = (): void => {
    if (!options.live) return
    clear()
    options.write(status().slice(0, Math.max(20, options.columns() - 1)))
    drawn = true
  }
  const stay = (line: string): void => {
    clear()
    options.write(`${line}\n`)
  }

  return {
    onEvent(event) {
      const line = lineOf(event)
      if (line !== null) stay(line)
      switch (event.kind) {
        case 'season-started':
          total = event.rounds
          break
        case 'cell-started':
          running.set(`${event.task}: ${event.cell}`, 1)
          if (!options.live && ran + found === 0) stay('running CI: base and golden of each task first')
          break
        case 'cell-finished':
          running.delete(`${event.task}: ${event.cell}`)
          if (event.cached) found++
          else ran++
          break
        case 'model-call':
          calls = ` · ${event.competitor} ${event.state}`
          break
        case 'round': {
          done = event.done
          total = event.total
          const tenth = Math.floor((done * 10) / Math.max(1, total))
          if (!options.live && tenth > shownTenth) {
            shownTenth = tenth
            stay(status())
          }
          break
        }
        default:
      }
      draw()
    },
    end: clear,
  }
}
