import type { EnforcedLimit, InfraEvidence } from '../../src/schema/ci-run.ts'
import { oneLine, visible } from './visible.ts'

/** Limits, and what enforced each. */
export function Limits({ limits }: { readonly limits: readonly EnforcedLimit[] }) {
  if (limits.length === 0) return null
  return (
    <ul class="limits" aria-label="Limits and what enforced them">
      {limits.map(({ limit, value, by }) => (
        <li key={limit} class={by === 'none' ? 'bad' : undefined}>
          <b>{limit}</b> {oneLine(value, 60)} <small>{by === 'none' ? 'not enforced' : `by ${by}`}</small>
        </li>
      ))}
    </ul>
  )
}

/** What was seen from outside the sandbox when the machine broke. */
export function Infra({ infra }: { readonly infra: InfraEvidence | null }) {
  if (infra === null) return null
  return (
    <p class="bad">
      ✕ The machine broke, by the {infra.source}: {visible(infra.message)}
    </p>
  )
}
