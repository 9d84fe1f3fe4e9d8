import type { CellRun, InfraEvidence } from '../schema/ci-run.ts'
import type { CellGate } from './cell-gate.ts'

/** A broken cell is tried this often, the last time alone. */
export const BLAME_ATTEMPTS = 3

/** One try of a cell; the control runs only when the cell broke. */
export interface Attempt {
  readonly cell: 'clean' | 'broken'
  readonly control: 'clean' | 'broken' | 'not-run'
}

export type Blame = 'good' | 'retry' | 'cell' | 'infrastructure'

/**
 * Who is to blame after these tries. Infrastructure is only what breaks the control too; the last try decides, since it runs
 * alone: a cell that breaks while its control is clean is to blame itself, so nobody can force a void.
 */
export function decideBlame(attempts: readonly Attempt[]): Blame {
  const last = attempts.at(-1)
  if (!last) return 'retry'
  if (last.cell === 'clean') return 'good'
  if (attempts.length < BLAME_ATTEMPTS) return 'retry'
  return last.control === 'clean' ? 'cell' : 'infrastructure'
}

export type Blamed<R extends CellRun> =
  | { readonly kind: 'good'; readonly run: R; readonly attempts: readonly Attempt[] }
  /** The run with every broken result as not passed. */
  | {
      readonly kind: 'cell'
      readonly run: R
      readonly attempts: readonly Attempt[]
      readonly evidence: readonly InfraEvidence[]
    }
  /** The run as it broke. */
  | {
      readonly kind: 'infrastructure'
      readonly run: R
      readonly attempts: readonly Attempt[]
      readonly evidence: readonly InfraEvidence[]
    }

export interface BlameInput<R extends CellRun> {
  readonly run: () => Promise<R>
  /** The task's golden tree (base for a live issue) without a competitor's bytes, really run, never from a cache. */
  readonly control: () => Promise<CellRun>
  readonly gate: CellGate
  /**
   * Whether bytes of a competitor are in the cell. Without them there is nobody else to blame: what breaks it is always
   * infrastructure, whatever the control says.
   */
  readonly hasCandidate: boolean
}

/**
 * Runs a cell until it is clean or tried often enough. The control runs after the cell's sandboxes are gone, on the same
 * machine, so that nothing of the cell can break it.
 */
export async function runWithBlame<R extends CellRun>(input: BlameInput<R>): Promise<Blamed<R>> {
  const attempts: Attempt[] = []
  const evidence: InfraEvidence[] = []
  while (true) {
    const last = attempts.length === BLAME_ATTEMPTS - 1
    const tryOnce = async (): Promise<R> => {
      const run = await input.run()
      const found = evidenceIn(run)
      evidence.push(...found)
      attempts.push(
        found.length === 0 ? { cell: 'clean', control: 'not-run' } : await controlled(input.control),
      )
      return run
    }
    const run = await (last ? input.gate.alone(tryOnce) : input.gate.shared(tryOnce))
    const blame = decideBlame(attempts)
    if (blame === 'good') return { kind: 'good', run, attempts }
    if (blame === 'cell' && input.hasCandidate)
      return { kind: 'cell', run: asNotPassed(run), attempts, evidence }
    if (blame !== 'retry') return { kind: 'infrastructure', run, attempts, evidence }
  }
}

async function controlled(control: () => Promise<CellRun>): Promise<Attempt> {
  const broken = evidenceIn(await control()).length > 0
  return { cell: 'broken', control: broken ? 'broken' : 'clean' }
}

/** The evidence of every leg that infrastructure is said to have broken. */
export function evidenceIn(run: CellRun): readonly InfraEvidence[] {
  return run.legs.flatMap((leg: { readonly infra: InfraEvidence | null }) => (leg.infra ? [leg.infra] : []))
}

/** The same run with nobody but the cell to blame: broken legs failed, broken cases are absent. */
export function asNotPassed<R extends CellRun>(run: R): R
export function asNotPassed(run: CellRun): CellRun {
  if (run.kind === 'workflow') {
    const legs = run.legs.map((leg) =>
      leg.infra ? { ...leg, status: 'failure' as const, reason: blamedReason(leg.infra), infra: null } : leg,
    )
    return { ...run, legs }
  }
  const legs = run.legs.map((leg) => ({
    ...leg,
    infra: null,
    files: leg.files.map((file) => ({
      ...file,
      cases: file.cases.map((test) =>
        test.outcome === 'infra' ? { ...test, outcome: 'absent' as const } : test,
      ),
    })),
  }))
  return { ...run, legs }
}

const blamedReason = (infra: InfraEvidence): string =>
  `the sandbox broke (${infra.message}) while the control beside it was clean`
