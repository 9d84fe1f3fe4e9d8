import { type ActionMapping, quoted, unsupported } from './action.ts'

/** Whether all needed jobs ended well: its `jobs` input holds the needs context as JSON. */
export const allsGreen: ActionMapping = {
  actions: ['re-actors/alls-green'],
  map(call) {
    const results = resultsIn(call.with.jobs ?? '')
    if (!results) return unsupported('alls-green: jobs is no JSON of the needs context')
    const isAllowed = (job: string, result: string): boolean =>
      result === 'success' ||
      (result === 'skipped'
        ? namesIn(call.with['allowed-skips']).includes(job)
        : namesIn(call.with['allowed-failures']).includes(job))
    const bad = results.filter(([job, result]) => !isAllowed(job, result))
    const words = bad.map(([job, result]) => `${job}: ${result}`).join(', ') || 'all jobs ended well'
    return {
      kind: 'script',
      script: `echo ${quoted(words)}\nexit ${bad.length === 0 ? 0 : 1}\n`,
      class: 'offline',
      env: {},
      notes: [words],
    }
  },
}

function resultsIn(text: string): readonly (readonly [string, string])[] | undefined {
  try {
    const jobs: unknown = JSON.parse(text)
    if (typeof jobs !== 'object' || jobs === null) return undefined
    return Object.entries(jobs).map(([job, end]) => [job, String(end?.result)])
  } catch {
    return undefined
  }
}

const namesIn = (text: string | undefined): readonly string[] =>
  (text ?? '').split(',').map((name) => name.trim())
