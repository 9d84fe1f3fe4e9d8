import type { PlannedLeg } from '../../workflows/plan.ts'
import type { EnforcedLimit, FileResult, InfraEvidence, LegResult, TestsRun } from '../schema/ci-run.ts'
import type { LegRecord } from './base-record.ts'
import { infraEvidenceOf } from './infra-evidence.ts'
import { type LegEnd, outputsOf } from './job-graph.ts'
import { conclusionOf } from './job-state.ts'
import type { KeptFile } from './kept-files.ts'
import { legResult, stoppedLeg } from './leg-result.ts'
import { firstTestStep, type LegJob, worldOf } from './leg-world.ts'
import { runArmed } from './run-armed.ts'
import { type PlainRun, runPlain } from './run-plain.ts'
import { runTestFile, type TestFile, testsOfBrokenFile } from './run-test-file.ts'
import { onSetup, type Workshop } from './set-up-leg.ts'
import { settleAll } from './settle-all.ts'
import { NO_REPORTING } from './step-environment.ts'

/** The end of a leg that was to run plain; `run` is null when it did not run. */
export interface PlainEnd extends LegEnd {
  readonly run: PlainRun | null
  /** Artifacts and caches of the jobs before it, which its other runs see too. */
  readonly given?: readonly KeptFile[]
}

export type TestsOnLeg = TestsRun['legs'][number]

interface FileEnd {
  readonly file: FileResult
  readonly limits: readonly EnforcedLimit[]
  readonly infra: InfraEvidence | null
}

/** Runs a leg plain. A broken sandbox is a value here: the judge asks for its evidence. */
export async function plainEnd(workshop: Workshop, job: LegJob): Promise<PlainEnd> {
  return orInfra<PlainEnd>(
    async () => {
      const run = await runPlain(workshop, job)
      const { unsupported } = run.state
      return {
        status: unsupported === null ? conclusionOf(run.state) : 'unsupported',
        reason: unsupported,
        outputs: outputsOf(worldOf(job, run.sha, NO_REPORTING), run.state),
        infra: null,
        kept: run.state.kept.filter((one) => !(job.kept ?? []).includes(one)),
        given: job.kept ?? [],
        run,
      }
    },
    (infra) => ({ status: 'infra_error', reason: infra.message, outputs: {}, infra, run: null }),
  )
}

/** The record of a leg from its plain end alone. */
export const plainResult = (job: LegJob, end: PlainEnd): LegResult =>
  end.run ? legResult(job.leg, end.run, null) : stoppedLeg(job.leg, end, firstTestStep(job))

/** The record of a leg with its armed run beside the plain one. `base`: what the leg's processes reported on base. */
export async function armedResult(
  workshop: Workshop,
  job: LegJob,
  end: PlainEnd,
  base: LegRecord | undefined,
  word: string,
): Promise<LegResult> {
  const plain = plainResult(job, end)
  if (!end.run || plain.testStep === null || plain.status === 'unsupported' || base === undefined)
    return plain
  const broken = (infra: InfraEvidence): LegResult => ({
    ...plain,
    status: 'infra_error',
    reason: infra.message,
    infra,
  })
  if (base.kind === 'broken') return broken(base.infra)
  return orInfra(
    async () => ({ ...plain, armed: await runArmed(workshop, job, base.processes, word) }),
    broken,
  )
}

/** The step `arena tests` in one leg: each file in a sandbox of its own on the leg's layer after set-up. */
export async function testsOnLeg(
  workshop: Workshop,
  job: LegJob,
  testStep: number,
  files: readonly TestFile[],
  word: string,
): Promise<TestsOnLeg> {
  const { leg, tree } = job
  return orInfra(
    () =>
      onSetup(workshop, job, testStep, async (setup, warm) => {
        const inSandbox = (file: TestFile): Promise<FileEnd> =>
          workshop.withSession({ layers: warm.layers, repoName: tree.task.repoName }, async (session) => ({
            file: await runTestFile(warm.job, session, setup, testStep, file, word),
            limits: session.limits,
            infra: null,
          }))
        const runs = files.map((file) =>
          orInfra(
            () => inSandbox(file),
            (infra) => ({ file: testsOfBrokenFile(file), limits: setup.limits, infra }),
          ),
        )
        const ended = await settleAll(runs)
        const results = ended.map((run) => run.file)
        const spentMs = results.flatMap((file) => file.cases).reduce((sum, test) => sum + test.durationMs, 0)
        return {
          leg: leg.leg,
          files: results,
          limits: [...(ended[0]?.limits ?? setup.limits)],
          infra: ended.find((run) => run.infra)?.infra ?? null,
          durationMs: spentMs,
        }
      }),
    (infra) => brokenTests(leg, files, infra),
  )
}

/** A leg whose sandbox, or that of a job it needs, broke before its tests. */
export const brokenTests = (
  leg: PlannedLeg,
  files: readonly TestFile[],
  infra: InfraEvidence,
): TestsOnLeg => ({ leg: leg.leg, files: files.map(testsOfBrokenFile), limits: [], infra, durationMs: 0 })

async function orInfra<T>(body: () => Promise<T>, broken: (infra: InfraEvidence) => T): Promise<T> {
  try {
    return await body()
  } catch (error) {
    const infra = infraEvidenceOf(error)
    if (!infra) throw error
    return broken(infra)
  }
}
