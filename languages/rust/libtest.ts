import { z } from 'zod'
import type { TestResult, TestStatus } from '../../src/schema/test-result.ts'
import { cutMessage, parseJsonText } from '../shared/json-lines.ts'

export interface LibtestOutput {
  readonly cases: readonly Omit<TestResult, 'suite'>[]
  /** The binary said how its suite ended. */
  readonly complete: boolean
}

const Event = z.union([
  z.object({
    type: z.literal('test'),
    event: z.enum(['started', 'ok', 'failed', 'ignored', 'timeout']),
    name: z.string(),
    stdout: z.string().optional(),
    message: z.string().optional(),
    exec_time: z.number().nonnegative().optional(),
  }),
  z.object({ type: z.literal('suite'), event: z.enum(['started', 'ok', 'failed']) }),
])

const STATUSES: Readonly<Record<string, TestStatus>> = { ok: 'passed', failed: 'failed', ignored: 'skipped' }

/**
 * libtest's JSON: a test's own text may stand before an event on its line. A test that was started and has no result is
 * errored: its process ended in it, or beside it.
 */
export function parseLibtestJson(text: string): LibtestOutput {
  const cases: Omit<TestResult, 'suite'>[] = []
  const open = new Map<string, number>()
  let complete = false
  for (const line of text.split('\n')) {
    const start = line.indexOf('{ "type": "')
    const parsed = start === -1 ? undefined : Event.safeParse(parseJsonText(line.slice(start)))
    if (!parsed?.success) continue
    const event = parsed.data
    if (event.type === 'suite') complete = event.event !== 'started'
    else if (event.event === 'started') open.set(event.name, (open.get(event.name) ?? 0) + 1)
    else {
      const status = STATUSES[event.event]
      if (status === undefined) continue
      open.delete(event.name)
      const message = [event.message, event.stdout].filter((part) => part).join('\n')
      cases.push({
        name: event.name,
        status,
        ...(event.exec_time === undefined ? {} : { durationMs: Math.round(event.exec_time * 1000) }),
        ...(message === '' || status === 'passed' ? {} : { message: cutMessage(message) }),
      })
    }
  }
  for (const name of open.keys()) cases.push({ name, status: 'errored' })
  return { cases, complete }
}

const RESULT = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, .*)?(?: <[\d.]+s>)?$/

/**
 * libtest's text, for documentation tests and for harnesses that imitate it. Results count only between `running N tests`
 * and the first empty line after it: what tests printed themselves is shown further down.
 */
export function parseLibtestText(text: string): LibtestOutput {
  const cases: Omit<TestResult, 'suite'>[] = []
  let reading = false
  let complete = false
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences
  for (const line of text.replaceAll(/\x1b\[[0-9;]*m/g, '').split('\n')) {
    if (/^running \d+ tests?$/.test(line)) {
      reading = true
      complete = false
    } else if (line === '' || line === 'failures:') reading = false
    else if (/^test result: /.test(line)) complete = true
    const match = reading ? RESULT.exec(line) : null
    const status = STATUSES[match?.[2]?.toLowerCase() ?? '']
    if (match?.[1] && status !== undefined) cases.push({ name: withoutLine(match[1]), status })
  }
  return { cases, complete }
}

/** A documentation test is named by its item: lines move with every edit. */
const withoutLine = (name: string): string => name.replace(/ \(line \d+\)/, '')
