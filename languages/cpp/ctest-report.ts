import { posix } from 'node:path'
import { z } from 'zod'
import type { TestStatus } from '../../src/schema/test-result.ts'
import { cutMessage, parseJsonText } from '../shared/json-lines.ts'
import { xmlPieces } from '../shared/xml.ts'

/** A test of ctest: what it runs. */
export interface CtestTest {
  readonly name: string
  readonly command: readonly string[]
  /** Its result does not follow its exit code: WILL_FAIL, PASS_REGULAR_EXPRESSION and the like. */
  readonly hidesExit: boolean
}

const Listing = z.object({
  tests: z.array(
    z.object({
      name: z.string(),
      command: z.array(z.string()).default([]),
      properties: z.array(z.object({ name: z.string(), value: z.unknown() })).default([]),
    }),
  ),
})
const HIDING = ['WILL_FAIL', 'PASS_REGULAR_EXPRESSION', 'FAIL_REGULAR_EXPRESSION']

/** What `ctest --show-only=json-v1` printed; nothing when it is broken. */
export function parseListing(text: string): readonly CtestTest[] {
  const parsed = Listing.safeParse(parseJsonText(text))
  if (!parsed.success) return []
  return parsed.data.tests.map(({ name, command, properties }) => ({
    name,
    command,
    hidesExit: properties.some((property) => HIDING.includes(property.name)),
  }))
}

/** How ctest says that a test ended. */
export interface CtestResult {
  readonly status: TestStatus
  /** 0 for passed, 1 for any other exit code: ctest does not tell which. Null when it was ended by a signal. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number
  readonly message: string
}

const SIGNALS: Readonly<Record<string, string>> = {
  SEGFAULT: 'SIGSEGV',
  ILLEGAL: 'SIGILL',
  INTERRUPT: 'SIGINT',
  NUMERICAL: 'SIGFPE',
  OTHER_FAULT: 'SIGABRT',
  TIMEOUT: 'SIGKILL',
  TIMEDOUT: 'SIGKILL',
}

/** What `ctest --output-junit` wrote, by test name. */
export function parseCtestJunit(text: string): ReadonlyMap<string, CtestResult> {
  const results = new Map<string, CtestResult>()
  let attributes: ReadonlyMap<string, string> | undefined
  let reason: string | undefined
  let output = ''
  let inOutput = false
  for (const piece of xmlPieces(text)) {
    if (piece.kind === 'text') {
      if (inOutput) output += piece.text
    } else if (piece.kind === 'open') {
      if (piece.name === 'testcase') {
        attributes = piece.attributes
        reason = undefined
        output = ''
      } else if (piece.name === 'failure' || piece.name === 'skipped')
        reason = piece.attributes.get('message') ?? ''
      inOutput = piece.name === 'system-out'
    } else if (piece.name === 'system-out') inOutput = false
    else if (piece.name === 'testcase' && attributes) {
      results.set(attributes.get('name') ?? '', toResult(attributes, reason, output))
      attributes = undefined
    }
  }
  return results
}

function toResult(attributes: ReadonlyMap<string, string>, reason = '', output = ''): CtestResult {
  const ended = attributes.get('status')
  const seconds = Number(attributes.get('time'))
  const common = {
    durationMs: Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : 0,
    message: cutMessage(reason === '' ? output : `${reason}\n${output}`),
  }
  if (ended === 'run') return { ...common, status: 'passed', exitCode: 0, signal: null }
  if (ended === 'disabled') return { ...common, status: 'skipped', exitCode: null, signal: null }
  if (ended === 'notrun') {
    return {
      ...common,
      status: reason.startsWith('SKIP') ? 'skipped' : 'errored',
      exitCode: null,
      signal: null,
    }
  }
  const signal = SIGNALS[reason.toUpperCase().replace(/^(EXCEPTION|.*\*\*\*)[: ]*/, '')] ?? null
  return signal === null
    ? { ...common, status: 'failed', exitCode: 1, signal }
    : { ...common, status: 'errored', exitCode: null, signal }
}

/** The one case that a discovered test runs, as its command says; undefined for whole executables and patterns. */
export function singleCase(test: CtestTest): string | undefined {
  const filter = test.command.map((word) => /^--gtest_filter=(.+)$/.exec(word)?.[1]).find((found) => found)
  return filter !== undefined && !/[*?:]/.test(filter) && !filter.startsWith('-') ? filter : undefined
}

/** The names that an executable of the command may have: its words without options, the last one first. */
export const executablesOf = (test: CtestTest): readonly string[] =>
  test.command
    .filter((word) => !word.startsWith('-'))
    .map((word) => posix.basename(word))
    .reverse()
