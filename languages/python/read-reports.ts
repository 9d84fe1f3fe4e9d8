import { z } from 'zod'
import type { ProcessReport, TestResult, TestStatus } from '../../src/schema/test-result.ts'
import type { ReportFiles } from '../adapter.ts'
import { withExit } from '../shared/check-exit.ts'
import { cutMessage, parseExit, parseJsonLines, reportFolders } from '../shared/json-lines.ts'
import { joinPath } from '../shared/paths.ts'

const Start = z.object({ event: z.literal('start'), root: z.string() })
const Collect = z.object({ event: z.literal('collect'), nodeid: z.string(), message: z.string() })
const Phase = z.object({
  event: z.literal('phase'),
  nodeid: z.string(),
  when: z.enum(['setup', 'call', 'teardown']),
  outcome: z.string(),
  part: z.boolean(),
  durationMs: z.number().nonnegative(),
  message: z.string().optional(),
})
type Phase = z.infer<typeof Phase>
const Finish = z.object({ event: z.literal('finish'), status: z.number() })
const PytestRecord = z.discriminatedUnion('event', [Start, Collect, Phase, Finish])

/** The name under which a file that could not be collected is reported. */
const COLLECTION = '(collection)'

/** What the pytest plugin wrote: one process a pytest call, in the order in which they started. */
export function readPytestReports(files: ReportFiles): readonly ProcessReport[] {
  return reportFolders(files, 'pytest').map(({ name, file }) => {
    const exit = parseExit(file('exit.json'))
    const records = parseJsonLines(file('records.jsonl')?.toString('utf8') ?? '', PytestRecord)
    const root = records.find((record) => record.event === 'start')?.root ?? '.'
    const phases = records.filter((record) => record.event === 'phase')
    const collected = records
      .filter((record) => record.event === 'collect')
      .map(({ nodeid, message }) =>
        toResult(root, nodeid, 'errored', { message, durationMs: undefined, rest: COLLECTION }),
      )
    const cases = [...collected, ...attempts(phases).flatMap((attempt) => toCase(root, attempt))]
    const complete = records.some((record) => record.event === 'finish')
    return withExit({ process: `pytest:${name}`, cases, complete }, exit)
  })
}

/** Phases of one run of one case. A second call of a case starts a new attempt; one that will be run again is none. */
function attempts(phases: readonly Phase[]): readonly (readonly Phase[])[] {
  const all: Phase[][] = []
  const open = new Map<string, Phase[]>()
  for (const phase of phases) {
    if (phase.outcome === 'rerun') {
      const dropped = open.get(phase.nodeid)
      if (dropped) all.splice(all.indexOf(dropped), 1)
      open.delete(phase.nodeid)
      continue
    }
    const current = open.get(phase.nodeid)
    const isCall = (candidate: Phase): boolean => candidate.when === 'call' && !candidate.part
    if (current && !(isCall(phase) && current.some(isCall))) {
      current.push(phase)
    } else {
      const next = [phase]
      open.set(phase.nodeid, next)
      all.push(next)
    }
  }
  return all
}

function statusOf(attempt: readonly Phase[]): TestStatus | undefined {
  const failed = attempt.filter((phase) => phase.outcome === 'failed')
  if (failed.some((phase) => phase.when !== 'call')) return 'errored'
  if (failed.length > 0) return 'failed'
  // An expected failure is reported as skipped, an unexpected pass as passed (failed when strict).
  if (attempt.some((phase) => phase.outcome === 'skipped')) return 'skipped'
  const called = attempt.some((phase) => phase.when === 'call' && !phase.part && phase.outcome === 'passed')
  return called ? 'passed' : undefined
}

function toCase(root: string, attempt: readonly Phase[]): readonly TestResult[] {
  const status = statusOf(attempt)
  const [first] = attempt
  if (status === undefined || first === undefined) return []
  const messages = attempt.flatMap((phase) => (phase.message ? [phase.message] : []))
  return [
    toResult(root, first.nodeid, status, {
      message: messages.length > 0 ? messages.join('\n') : undefined,
      durationMs: attempt.reduce((sum, phase) => sum + (phase.part ? 0 : phase.durationMs), 0),
      rest: undefined,
    }),
  ]
}

/** A node id is the file, `::`, and the rest; the rest is the case's name whole, whatever its parameters hold. */
function toResult(
  root: string,
  nodeid: string,
  status: TestStatus,
  more: { message: string | undefined; durationMs: number | undefined; rest: string | undefined },
): TestResult {
  const cut = nodeid.indexOf('::')
  const file = cut === -1 ? nodeid : nodeid.slice(0, cut)
  return {
    suite: joinPath(root, file),
    name: more.rest ?? (cut === -1 ? nodeid : nodeid.slice(cut + 2)),
    status,
    ...(more.durationMs === undefined ? {} : { durationMs: more.durationMs }),
    ...(more.message === undefined ? {} : { message: cutMessage(more.message) }),
  }
}
