import { type LegView, type RunView, sentinelFailed } from './run-view.ts'
import { allOf, type Tri } from './tri.ts'

/** A process whose armed run with the patch looks as no honest run can. `unknown`: it may not have been armable, or it broke. */
export interface ForgedProcess {
  readonly leg: string
  readonly process: string
  readonly forged: Tri
}

/**
 * A process can be armed if its sentinel, a test that must fail, was reported failed at base and with golden. Only such
 * a process can convict a patch: elsewhere a missing sentinel says nothing.
 */
export const isArmable = (
  base: LegView | undefined,
  golden: LegView | undefined | null,
  process: string,
): Tri => allOf([sentinelFailed(base, process), golden === null ? 'yes' : sentinelFailed(golden, process)])

/**
 * Reported passed, or the kernel says exit 0 and it was not reported failed. Absent with any other end (signal, time-out,
 * a failed build) is a crash, not a forgery.
 */
function looksForged(patch: LegView | undefined, process: string): Tri {
  if (patch === undefined) return 'no'
  if (patch.broken !== null) return 'unknown'
  const armed = patch.armed.get(process)
  if (!armed || armed.sentinel === 'failed') return 'no'
  return armed.sentinel === 'passed' || armed.exitCode === 0 ? 'yes' : 'no'
}

/** Every process of the patch that is, or may be, forged. */
export function findForged(base: RunView, golden: RunView | null, patch: RunView): readonly ForgedProcess[] {
  const legs = new Set([...base.keys(), ...(golden?.keys() ?? []), ...patch.keys()])
  return [...legs].flatMap((id) => {
    const views = {
      base: base.get(id),
      golden: golden === null ? null : golden.get(id),
      patch: patch.get(id),
    }
    const leg = views.patch?.leg ?? id
    const processes = new Set(
      [views.base, views.golden, views.patch].flatMap((view) => [...(view?.armed.keys() ?? [])]),
    )
    return [...processes].flatMap((process) => {
      const forged = allOf([isArmable(views.base, views.golden, process), looksForged(views.patch, process)])
      return forged === 'no' ? [] : [{ leg, process, forged }]
    })
  })
}
