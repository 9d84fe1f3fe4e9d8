import type { ProcessReport, TestResult, TestStatus } from '../../src/schema/test-result.ts'
import type { ReportFiles } from '../adapter.ts'
import { withExit } from '../shared/check-exit.ts'
import { cutMessage, parseExit, reportFolders } from '../shared/json-lines.ts'
import { numberRepeats } from '../shared/number-repeats.ts'

/** What the wrapper of test binaries wrote: one process a package and run. */
export function readGoReports(files: ReportFiles): readonly ProcessReport[] {
  const reports = reportFolders(files, 'go').map(({ file }) => {
    const suite = file('folder')?.toString('utf8').trim() || '.'
    const exit = parseExit(file('exit.json'))
    const parsed = parseGoOutput(file('output')?.toString('utf8') ?? '')
    const cases = parsed.cases.map((result) => ({ suite, ...result }))
    return withExit({ process: `go:${suite}`, cases, complete: parsed.complete }, exit)
  })
  return numberRepeats(reports)
}

export interface GoOutput {
  readonly cases: readonly Omit<TestResult, 'suite'>[]
  /** The test binary said PASS or FAIL at its end. */
  readonly complete: boolean
}

/** Go 1.20 and newer mark the framework's own lines with this byte, also in the middle of a line. */
const MARK = '\x16'

const STATUSES: Readonly<Record<string, TestStatus>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

type Piece =
  | { readonly kind: 'run'; readonly name: string }
  | { readonly kind: 'switch'; readonly name: string }
  | {
      readonly kind: 'result'
      readonly name: string
      readonly status: TestStatus
      readonly durationMs: number
    }
  | { readonly kind: 'end' }
  | { readonly kind: 'text'; readonly text: string }

/**
 * The cases of a test binary's verbose output: subtests beside their parents. With marks only marked lines count; without
 * (Go 1.19 and older) a result may follow a test's own text on its line, and only one of a test that was started counts.
 * A test that was started and has no result is errored: its process ended in it, or beside it.
 */
export function parseGoOutput(output: string): GoOutput {
  const pieces = output.includes(MARK) ? markedPieces(output) : plainPieces(output)
  const cases: Omit<TestResult, 'suite'>[] = []
  const open = new Map<string, string[]>()
  const started = new Set<string>()
  let current = ''
  let complete = false
  for (const piece of pieces) {
    if (piece.kind === 'end') complete = true
    else if (piece.kind === 'text') open.get(current)?.push(piece.text)
    else if (piece.kind === 'switch') current = piece.name
    else if (piece.kind === 'run') {
      current = piece.name
      started.add(piece.name)
      open.set(piece.name, [])
    } else if (started.has(piece.name)) {
      const { name, status, durationMs } = piece
      const text = (open.get(name) ?? []).join('\n').trim()
      open.delete(name)
      // Before 1.20 the log of a test stands below its result.
      current = name
      cases.push({
        name,
        status,
        durationMs,
        ...(status === 'passed' || text === '' ? {} : { message: cutMessage(text) }),
      })
    }
  }
  for (const [name, lines] of open)
    cases.push({ name, status: 'errored', message: cutMessage(lines.join('\n').trim()) })
  return { cases, complete }
}

function* markedPieces(output: string): Generator<Piece> {
  for (const line of output.split('\n')) {
    const [text = '', ...marked] = line.split(MARK)
    if (text !== '') yield { kind: 'text', text }
    for (const piece of marked) yield parseLine(piece) ?? { kind: 'text', text: piece }
  }
}

function* plainPieces(output: string): Generator<Piece> {
  for (const line of output.split('\n')) {
    const own = /(=== RUN {3}\S+|--- (?:PASS|FAIL|SKIP): \S+ \(\d+\.\d+s\))$/.exec(line)
    const piece = parseLine(line.trimStart()) ?? (own?.[1] ? parseLine(own[1]) : undefined)
    yield piece ?? { kind: 'text', text: line }
  }
}

function parseLine(line: string): Piece | undefined {
  if (/^(PASS|FAIL)$/.test(line)) return { kind: 'end' }
  const action = /^=== (RUN|NAME|CONT|PAUSE)\s+(\S*)$/.exec(line)
  if (action) {
    const name = action[2] ?? ''
    return action[1] === 'RUN' ? { kind: 'run', name } : { kind: 'switch', name }
  }
  const result = /^--- (PASS|FAIL|SKIP): (\S+) \((\d+\.\d+)s\)$/.exec(line)
  const status = STATUSES[result?.[1] ?? '']
  if (!result || status === undefined) return undefined
  return { kind: 'result', name: result[2] ?? '', status, durationMs: Math.round(Number(result[3]) * 1000) }
}
