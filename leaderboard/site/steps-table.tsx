import type { StepResult } from '../../src/schema/ci-run.ts'
import { duration, grouped } from './format.ts'
import { Outcome } from './outcome.tsx'
import { logPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'

function Row({ step }: { readonly step: StepResult }) {
  const excused = step.outcome !== step.conclusion
  return (
    <tr>
      <th scope="row">
        {oneLine(step.name, 160)}
        {step.uses !== null && <small>{oneLine(step.uses, 120)}</small>}
        {step.notes.map((note) => (
          <small key={note}>{oneLine(note, 300)}</small>
        ))}
      </th>
      <td>
        <Outcome of={step.conclusion} />
        {excused && <small>ended as {step.outcome}, continues on error</small>}
      </td>
      <td class="n">{step.exitCode ?? '–'}</td>
      <td class="n">{duration(step.durationMs)}</td>
      <td>
        {step.log === null ? '–' : <a href={logPath(step.log)}>log</a>}
        {step.droppedBytes > 0 && <small>{grouped(step.droppedBytes)} bytes left out of its middle</small>}
      </td>
    </tr>
  )
}

export function StepsTable({
  steps,
  label,
}: {
  readonly steps: readonly StepResult[]
  readonly label: string
}) {
  if (steps.length === 0) return null
  return (
    <Scroll label={label}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Conclusion</th>
            <th scope="col" class="n">
              Exit
            </th>
            <th scope="col" class="n">
              Time
            </th>
            <th scope="col">Log</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <Row key={step.index} step={step} />
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
