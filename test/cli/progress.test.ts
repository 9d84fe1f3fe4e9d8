import { describe, expect, test } from 'vitest'
import { createProgress } from '../../src/cli/progress.ts'
import type { ArenaEvent } from '../../src/schema/event.ts'

const CLEAR = '\r\x1b[2K'

const started = (rounds: number): ArenaEvent => ({
  kind: 'season-started',
  season: 'Demo',
  tasks: 1,
  competitors: 2,
  rounds,
})

const round = (done: number, total: number): ArenaEvent => ({
  kind: 'round',
  task: 'task',
  submitter: 'a',
  reviewer: 'b',
  verdict: 'submitter-win',
  done,
  total,
})

const cellStarted = (cell: string): ArenaEvent => ({ kind: 'cell-started', task: 'task', cell })

const cellFinished = (cell: string, cached: boolean): ArenaEvent => ({
  kind: 'cell-finished',
  task: 'task',
  cell,
  cached,
  durationMs: 1,
  outcome: 'success',
})

/** A progress display with a clock of the test's own, which beats each second as it moves. */
function display(options: { live: boolean; columns?: number }) {
  let now = 0
  let beat: (() => void) | undefined
  const written: string[] = []
  const progress = createProgress({
    write: (text) => written.push(text),
    live: options.live,
    now: () => now,
    columns: () => options.columns ?? 200,
    repeat: (_everyMs, work) => {
      beat = work
      return () => {
        beat = undefined
      }
    },
  })
  return {
    ...progress,
    pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        now += 1000
        beat?.()
      }
    },
    take: () => written.splice(0).join(''),
  }
}

describe('progress in a log', () => {
  test('says at the start what is played', () => {
    const shown = display({ live: false })
    shown.onEvent(started(66))
    expect(shown.take()).toBe(
      'Demo: 66 rounds, 2 competitors, 1 task\n[0.0 s] rounds 0/66 · cells 0 run, 0 found\n',
    )
  })

  test('says every ten seconds what runs, also when nothing happens', () => {
    const shown = display({ live: false })
    shown.onEvent(started(66))
    shown.take()
    shown.onEvent(cellStarted('base'))
    shown.onEvent(cellStarted('golden'))
    shown.pass(9)
    expect(shown.take()).toBe('')
    shown.pass(1)
    expect(shown.take()).toBe('[10 s] rounds 0/66 · cells 0 run, 0 found · task: base · task: golden\n')
    shown.pass(20)
    expect(shown.take().split('\n')).toHaveLength(3)
  })

  test('says each tenth of the rounds once, however fast they come', () => {
    const shown = display({ live: false })
    shown.onEvent(started(100))
    shown.take()
    for (let done = 1; done <= 100; done++) {
      shown.onEvent(cellFinished(`cell ${done}`, true))
      shown.onEvent(round(done, 100))
    }
    const lines = shown.take().trim().split('\n')
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)).toBe('[0.0 s] rounds 100/100 · cells 0 run, 100 found')
  })

  test('a cell is shown as long as one of its name runs', () => {
    const shown = display({ live: false })
    shown.onEvent(started(2))
    shown.take()
    shown.onEvent(cellStarted('tests on base'))
    shown.onEvent(cellStarted('tests on base'))
    shown.onEvent(cellFinished('tests on base', false))
    shown.pass(10)
    expect(shown.take()).toBe('[10 s] rounds 0/2 · cells 1 run, 0 found · task: tests on base\n')
    shown.onEvent(cellFinished('tests on base', false))
    shown.pass(10)
    expect(shown.take()).toBe('[20 s] rounds 0/2 · cells 2 run, 0 found\n')
  })

  test('a call to a model is shown until its answer is there', () => {
    const shown = display({ live: false })
    shown.onEvent(started(2))
    shown.take()
    shown.onEvent({ kind: 'model-call', competitor: 'steady', attempt: 0, state: 'asked for patch' })
    shown.pass(10)
    expect(shown.take()).toContain(' · steady asked for patch\n')
    shown.onEvent({
      kind: 'generation',
      task: 'task',
      competitor: 'steady',
      role: 'patch',
      outcome: 'applied',
      cached: false,
    })
    shown.pass(10)
    expect(shown.take()).not.toContain('steady')
  })

  test('shows warnings and nothing else after its end', () => {
    const shown = display({ live: false })
    shown.onEvent(started(2))
    shown.end()
    shown.take()
    shown.pass(30)
    shown.onEvent(round(2, 2))
    shown.onEvent({ kind: 'warning', message: 'the disk is nearly full' })
    expect(shown.take()).toBe('warning: the disk is nearly full\n')
  })
})

describe('progress on a terminal', () => {
  test('rewrites one line, and remarks stay above it', () => {
    const shown = display({ live: true })
    shown.onEvent(started(2))
    expect(shown.take()).toBe(
      'Demo: 2 rounds, 2 competitors, 1 task\n[0.0 s] rounds 0/2 · cells 0 run, 0 found',
    )
    shown.onEvent(round(1, 2))
    expect(shown.take()).toBe(`${CLEAR}[0.0 s] rounds 1/2 · cells 0 run, 0 found`)
    shown.onEvent({ kind: 'warning', message: 'slow' })
    expect(shown.take()).toBe(`${CLEAR}warning: slow\n[0.0 s] rounds 1/2 · cells 0 run, 0 found`)
    shown.pass(1)
    expect(shown.take()).toBe(`${CLEAR}[1.0 s] rounds 1/2 · cells 0 run, 0 found`)
    shown.end()
    expect(shown.take()).toBe(CLEAR)
  })

  test('never wraps: the line is as long as the terminal is wide', () => {
    const shown = display({ live: true, columns: 40 })
    shown.onEvent(started(2))
    shown.take()
    shown.onEvent(cellStarted('tests on commented golden'))
    expect(shown.take().replace(CLEAR, '')).toHaveLength(39)
  })
})
