import type { ArmedRun, LegResult } from '../../src/schema/ci-run.ts'
import type { TestResult } from '../../src/schema/test-result.ts'
import { duration, plural } from './format.ts'
import { Infra, Limits } from './leg-facts.tsx'
import { Outcome } from './outcome.tsx'
import { StepsTable } from './steps-table.tsx'
import { countOutcomes, outcomesText } from './test-counts.ts'
import { cutText, oneLine, visible } from './visible.ts'

const FAILING_SHOWN = 20
const MESSAGE_CHARACTERS = 1500

function Failing({ cases }: { readonly cases: readonly TestResult[] }) {
  const failing = cases.filter(({ status }) => status === 'failed' || status === 'errored')
  if (failing.length === 0) return null
  return (
    <>
      <p>Cases that did not pass:</p>
      <ul class="failing">
        {failing.slice(0, FAILING_SHOWN).map(({ suite, name, status, message }) => (
          <li key={`${suite}::${name}`}>
            <Outcome of={status} />{' '}
            <code>
              {oneLine(suite, 200)}::{oneLine(name, 200)}
            </code>
            {message !== undefined && message !== '' && (
              <pre>{visible(cutText(message, MESSAGE_CHARACTERS).text)}</pre>
            )}
          </li>
        ))}
      </ul>
      {failing.length > FAILING_SHOWN && (
        <p class="note">and {plural(failing.length - FAILING_SHOWN, 'more case')}</p>
      )}
    </>
  )
}

function Armed({ armed, leg }: { readonly armed: ArmedRun | null; readonly leg: string }) {
  if (armed === null) return null
  return (
    <details>
      <summary>
        Armed run: {plural(armed.processes.length, 'test process', 'test processes')} with a sentinel that
        must fail
      </summary>
      <ul class="sentinels">
        {armed.processes.map(({ process, sentinel, exitCode, signal }) => (
          <li key={process}>
            <code>{oneLine(process, 160)}</code> sentinel {sentinel},{' '}
            {signal ? `signal ${oneLine(signal, 20)}` : `exit ${exitCode ?? 'unknown'}`}
          </li>
        ))}
      </ul>
      <StepsTable steps={armed.steps} label={`Armed steps of ${leg}`} />
    </details>
  )
}

function usageText({ durationMs, cpuMs, peakMemoryMiB }: LegResult): string {
  return [
    duration(durationMs),
    ...(cpuMs === null ? [] : [`${duration(cpuMs)} of CPU`]),
    ...(peakMemoryMiB === null ? [] : [`${Math.round(peakMemoryMiB)} MiB at most`]),
  ].join(', ')
}

/** One leg of the repository's own workflow. */
export function WorkflowLeg({ leg }: { readonly leg: LegResult }) {
  const cases = leg.processes.flatMap((report) => report.cases)
  const name = oneLine(leg.leg, 120)
  return (
    <div class="leg">
      <h3>
        {name} <Outcome of={leg.status} />
      </h3>
      <p class="note">
        {usageText(leg)}
        {cases.length > 0 && `; ${outcomesText(countOutcomes(cases.map(({ status }) => status)))}`}
      </p>
      {leg.reason !== null && <p>{visible(leg.reason)}</p>}
      <Infra infra={leg.infra} />
      <StepsTable steps={leg.steps} label={`Steps of ${name}`} />
      <Failing cases={cases} />
      <Armed armed={leg.armed} leg={name} />
      <Limits limits={leg.limits} />
    </div>
  )
}
