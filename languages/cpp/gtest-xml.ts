import type { TestResult, TestStatus } from '../../src/schema/test-result.ts'
import { cutMessage } from '../shared/json-lines.ts'
import { xmlPieces } from '../shared/xml.ts'

export interface GtestReport {
  readonly cases: readonly Omit<TestResult, 'suite'>[]
  /** The document ended as it should. */
  readonly complete: boolean
}

interface OpenCase {
  readonly attributes: ReadonlyMap<string, string>
  readonly failures: string[]
  skipped: string | undefined
}

/** GoogleTest's XML. A list of tests, which has no results, gives no cases. */
export function parseGtestXml(text: string): GtestReport {
  const cases: Omit<TestResult, 'suite'>[] = []
  let open: OpenCase | undefined
  let complete = false
  for (const piece of xmlPieces(text)) {
    if (piece.kind === 'text') continue
    if (piece.kind === 'close') {
      if (piece.name === 'testcase' && open) {
        const result = toResult(open)
        if (result) cases.push(result)
        open = undefined
      }
      if (piece.name === 'testsuites') complete = true
    } else if (piece.name === 'testcase') {
      open = { attributes: piece.attributes, failures: [], skipped: undefined }
    } else if (open && (piece.name === 'failure' || piece.name === 'error')) {
      open.failures.push(piece.attributes.get('message') ?? '')
    } else if (open && piece.name === 'skipped') {
      open.skipped = piece.attributes.get('message') ?? ''
    }
  }
  return { cases, complete }
}

function toResult({ attributes, failures, skipped }: OpenCase): Omit<TestResult, 'suite'> | undefined {
  const status = statusOf(attributes, failures, skipped)
  if (status === undefined) return undefined
  const message = failures.length > 0 ? failures.join('\n') : skipped
  const seconds = Number(attributes.get('time') ?? Number.NaN)
  return {
    name: `${attributes.get('classname') ?? ''}.${attributes.get('name') ?? ''}`,
    status,
    ...(Number.isFinite(seconds) && seconds >= 0 ? { durationMs: Math.round(seconds * 1000) } : {}),
    ...(message ? { message: cutMessage(message) } : {}),
  }
}

function statusOf(
  attributes: ReadonlyMap<string, string>,
  failures: readonly string[],
  skipped: string | undefined,
): TestStatus | undefined {
  const status = attributes.get('status')
  if (failures.length > 0) return 'failed'
  if (skipped !== undefined || status === 'notrun' || attributes.get('result') === 'skipped') return 'skipped'
  return status === 'run' ? 'passed' : undefined
}
