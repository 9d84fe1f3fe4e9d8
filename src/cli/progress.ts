import type { ArenaEvent, OnEvent } from '../schema/event.ts'
import { plainText } from './plain-text.ts'

export interface ProgressOptions {
  readonly write: (text: string) => void
  /** Whether the last line can be rewritten. */
  readonly live: boolean
  /** Milliseconds since some start. */
  readonly now: () => number
  readonly columns: () => number
  /** Does the work again and again until the returned function is called; must not keep the process alive. */
  readonly repeat: (everyMs: number, work: () => void) => () => void
}

export interface Progress {
  readonly onEvent: OnEvent
  /** Clears the line that is rewritten; after this only remarks are shown. */
  end(): void
}

/** Between two status lines in a log, unless a tenth of the rounds comes first. */
const LOG_PAUSE_MS = 10_000
/** Between two looks at the clock. */
const BEAT_MS = 1000

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`

const countOf = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** A line that stays, or null for what only moves the rewritten line. */
function lineOf(event: ArenaEvent): string | null {
  switch (event.kind) {
    case 'season-started':
      return `${event.season}: ${[countOf(event.rounds, 'round'), countOf(event.competitors, 'competitor'), countOf(event.tasks, 'task')].join(', ')}`
    case 'task-left-out':
      return `left out ${event.task}: ${event.reason}`
    case 'verification-started':
      return countOf(event.tasks, 'task')
    case 'task-verified':
      return `${event.task}: ${event.stage}`
    case 'estimate':
      return `${event.competitor}: ${event.leastCalls} to ${event.mostCalls} calls, about ${event.leastPromptTokens} to ${event.mostPromptTokens} prompt tokens, at most ${event.mostOutputTokens} answer tokens`
    case 'warning':
      return `warning: ${plainText(event.message.replaceAll('\n', ' '))}`
    default:
      return null
  }
}

/**
 * Shows what the arena does. On a terminal one line is rewritten: rounds done, cells, what runs now. Elsewhere that line is
 * printed at the start, and then when ten seconds have passed or another tenth of the rounds is done, so that a log stays
 * short and yet shows that something moves.
 */
export function createProgress(options: ProgressOptions): Progress {
  const startedAt = options.now()
  const state = createState()
  let isDrawn = false
  let isEnded = false
  let shownAt = Number.NEGATIVE_INFINITY
  let shownTenth = 0

  const clear = (): void => {
    if (isDrawn) options.write('\r\x1b[2K')
    isDrawn = false
  }
  const stay = (line: string): void => {
    clear()
    options.write(`${line}\n`)
  }
  const status = (): string => `[${seconds(options.now() - startedAt)}] ${state.text()}`
  const rewrite = (): void => {
    clear()
    options.write(status().slice(0, Math.max(20, options.columns() - 1)))
    isDrawn = true
  }
  const printNowAndThen = (): void => {
    const tenth = state.tenth()
    if (tenth <= shownTenth && options.now() - shownAt < LOG_PAUSE_MS) return
    shownTenth = tenth
    shownAt = options.now()
    stay(status())
  }
  const show = (): void => {
    if (isEnded || !state.hasStarted()) return
    if (options.live) rewrite()
    else printNowAndThen()
  }
  const stopBeat = options.repeat(BEAT_MS, show)

  return {
    onEvent(event) {
      const line = lineOf(event)
      if (line !== null) stay(line)
      state.take(event)
      show()
    },
    end() {
      isEnded = true
      stopBeat()
      clear()
    },
  }
}

/** What the events so far add up to. */
function createState() {
  // Cells of many rounds have the same name: each name with how many run.
  const cells = new Map<string, number>()
  const calls = new Map<string, string>()
  let noun = 'rounds'
  const tally = { done: 0, total: 0, ran: 0, found: 0 }
  let isStarted = false
  const nameOf = (event: { readonly task: string; readonly cell: string }): string =>
    `${event.task}: ${event.cell}`
  const count = (name: string, step: number): void => {
    const running = (cells.get(name) ?? 0) + step
    if (running > 0) cells.set(name, running)
    else cells.delete(name)
  }
  return {
    hasStarted: () => isStarted,
    tenth: () => Math.floor((tally.done * 10) / Math.max(1, tally.total)),
    text(): string {
      const busy = [...[...cells.keys()].slice(0, 2), ...[...calls].slice(0, 1).map((call) => call.join(' '))]
      const counts = `${noun} ${tally.done}/${tally.total} · cells ${tally.ran} run, ${tally.found} found`
      return [counts, ...busy].join(' · ')
    },
    take(event: ArenaEvent): void {
      switch (event.kind) {
        case 'season-started':
          isStarted = true
          tally.total = event.rounds
          break
        case 'verification-started':
          isStarted = true
          noun = 'tasks'
          tally.total = event.tasks
          break
        case 'cell-started':
          count(nameOf(event), 1)
          break
        case 'cell-finished':
          count(nameOf(event), -1)
          if (event.cached) tally.found += 1
          else tally.ran += 1
          break
        case 'model-call':
          calls.set(event.competitor, event.state)
          break
        case 'generation':
          calls.delete(event.competitor)
          break
        case 'round':
        case 'task-verified':
          tally.done = event.done
          tally.total = event.total
          break
        default:
      }
    },
  }
}
