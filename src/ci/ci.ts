import { join } from 'node:path'
import { withNeeds } from '../../workflows/needs.ts'
import { digestOfValue } from '../schema/canonical.ts'
import { type BaseRecord, createBaseRecords, recordOf } from './base-record.ts'
import { type JobEnd, type LegEnd, runJobs } from './job-graph.ts'
import {
  armedResult,
  brokenTests,
  type PlainEnd,
  plainEnd,
  plainResult,
  type TestsOnLeg,
  testsOnLeg,
} from './leg-ends.ts'
import type { CiOptions } from './options.ts'
import type { Ci } from './port.ts'
import { removeTree } from './remove-tree.ts'
import { createSemaphore } from './semaphore.ts'
import { createSessions, type SandboxUsage } from './session.ts'
import type { LegSetup, Workshop } from './set-up-leg.ts'
import { settleAll } from './settle-all.ts'
import { createSetupLayers } from './setup-layers.ts'
import { testFilesOf } from './test-files.ts'
import { treeOf } from './tree.ts'
import { isChosen, legJob, lintJobs, type TreeRun, testStepOf, topJob, treeRun } from './tree-run.ts'
import { createWarmLayers } from './warm-layers.ts'
import { isLasting } from './warm-record.ts'
import { wordOf } from './word.ts'

/** Raised when the executor changes what a run gives: stored cells of another version are not used again. */
const EXECUTOR_VERSION = 3

interface TestsEnd extends LegEnd {
  readonly tests: TestsOnLeg | null
}

const ENDED: LegEnd = { status: 'success', reason: null, outputs: {}, infra: null }

/**
 * The executor over one runner. Keeps layers after set-up in `workFolder` and, for each task, what base's test processes
 * reported; both are made again when they are missing, so nothing of it need outlive the process. close() removes them.
 */
export function createCi(options: CiOptions): Ci & { usage(): SandboxUsage; close(): Promise<void> } {
  const environment = environmentOf(options)
  const environmentDigest = digestOfValue(environment)
  const sessions = createSessions(options, createSemaphore(options.parallel))
  const setups = createSetupLayers<LegSetup>(
    join(options.workFolder, 'setups'),
    options.layerBytes,
    options.newId,
  )
  const warmUps = createSetupLayers<void>(
    join(options.workFolder, 'warm-ups'),
    options.layerBytes,
    options.newId,
  )
  const warmLayers = createWarmLayers({
    folder: options.warm?.folder ?? join(options.workFolder, 'warm'),
    layerBytes: options.warm?.layerBytes ?? options.layerBytes,
    reuse: options.warm?.reuse ?? false,
    isLasting,
    newId: options.newId,
  })
  const records = createBaseRecords()
  let asked = 0
  /** Who asked first gets every sandbox first, so that runs end one after the other, not all of them at the end. */
  const workshopInTurn = (): Workshop => {
    asked += 1
    return { environmentDigest, withSession: sessions.inTurn(asked), setups, warmUps, warmLayers }
  }

  const plainJobs = (
    workshop: Workshop,
    run: TreeRun,
    wanted: ReadonlySet<string>,
  ): Promise<readonly JobEnd<PlainEnd>[]> =>
    runJobs(
      run.plan,
      run.input,
      wanted,
      (leg) => isChosen(run.tree.task, leg),
      (leg, kept) => plainEnd(workshop, legJob(options, run, leg, kept)),
      (_, end) => ({ ...end, run: null }),
    )

  return {
    environment,
    environmentDigest,
    async runWorkflow({ task, changes, legs, signal }) {
      const workshop = workshopInTurn()
      const tree = treeOf(task, changes)
      const run = treeRun(options, tree, signal)
      if (legs === 'lint') {
        const jobs = await plainJobs(workshop, run, withNeeds(run.plan.workflow, lintJobs(options, run)))
        const kept = jobs
          .flatMap((job) => job.legs)
          .filter(({ leg }) => testStepOf(options, run, leg) === null)
        return {
          kind: 'workflow',
          tree: tree.digest,
          legs: kept.map(({ leg, end }) => plainResult(legJob(options, run, leg), end)),
        }
      }
      const plain = plainJobs(workshop, run, run.wanted)
      if (legs === 'plain') {
        const ended = (await plain).flatMap((job) => job.legs)
        const results = ended.map(({ leg, end }) => plainResult(legJob(options, run, leg), end))
        return { kind: 'workflow', tree: tree.digest, legs: results }
      }
      const [jobs, record] = await withBase(workshop, run, plain)
      const word = wordOf(options.secret, task.loaded.digest, environmentDigest)
      const results = jobs
        .flatMap((job) => job.legs)
        .map(({ leg, end }) =>
          armedResult(workshop, legJob(options, run, leg, end.given), end, record.get(leg.leg), word),
        )
      return { kind: 'workflow', tree: tree.digest, legs: await settleAll(results) }
    },
    async runTests(request) {
      const workshop = workshopInTurn()
      const { task, changes, signal } = request
      const tree = treeOf(task, changes)
      const run = treeRun(options, tree, signal)
      const files = testFilesOf(request)
      const word = wordOf(options.secret, task.loaded.digest, environmentDigest)
      const wantedJobs = run.plan.workflow.jobs.filter(({ id }) => run.wanted.has(id))
      const needed = new Set(wantedJobs.flatMap((job) => job.needs))
      const stepOf = (job: string, step: number | null): number | null =>
        task.loaded.task.ci.jobs.includes(topJob(job)) ? step : null
      const jobs = await runJobs<TestsEnd>(
        run.plan,
        run.input,
        run.wanted,
        (leg) => isChosen(task, leg),
        async (leg, kept) => {
          const job = legJob(options, run, leg, kept)
          const step = stepOf(leg.job, testStepOf(options, run, leg))
          const tests = step === null ? null : await testsOnLeg(workshop, job, step, files, word)
          return {
            ...(needed.has(topJob(leg.job)) || topJob(leg.job) !== leg.job
              ? await plainEnd(workshop, job)
              : ENDED),
            tests,
          }
        },
        (leg, end) => {
          const step = stepOf(leg.job, testStepOf(options, run, leg))
          return { ...end, tests: end.infra && step !== null ? brokenTests(leg, files, end.infra) : null }
        },
      )
      const tests = jobs.flatMap((job) => job.legs.flatMap(({ end }) => (end.tests ? [end.tests] : [])))
      return { kind: 'tests', tree: tree.digest, legs: tests }
    },
    usage: sessions.usage,
    async close() {
      await setups.close()
      await warmUps.close()
      await removeTree(join(options.workFolder, 'io'))
      await removeTree(join(options.workFolder, 'kept'))
    },
  }

  /** The plain ends of a tree, and base's record beside them; a run of base is its own. */
  async function withBase(
    workshop: Workshop,
    run: TreeRun,
    plain: Promise<readonly JobEnd<PlainEnd>[]>,
  ): Promise<readonly [readonly JobEnd<PlainEnd>[], BaseRecord]> {
    const { task, changes } = run.tree
    if (changes.length === 0) {
      records.offer(task.loaded.digest, plain)
      const jobs = await plain
      return [jobs, recordOf(jobs)]
    }
    const base = records.get(task.loaded.digest, () => {
      const onBase = treeRun(options, treeOf(task, null), run.signal)
      return plainJobs(workshop, onBase, onBase.wanted)
    })
    const [jobs, record] = await Promise.allSettled([plain, base])
    if (jobs.status === 'rejected') throw jobs.reason
    if (record.status === 'rejected') throw record.reason
    return [jobs.value, record.value]
  }
}

/** What a cell's result may hang on beside the tree. How many run at once is not part of it. */
function environmentOf(options: CiOptions): Readonly<Record<string, unknown>> {
  return {
    executor: EXECUTOR_VERSION,
    sandbox: options.runner.name,
    toolchains: options.toolchains.digest,
    tools: Object.fromEntries(
      Object.entries(options.toolchains.tools).map(([name, tool]) => [name, tool.version]),
    ),
    limits: options.limits,
    timeouts: options.timeouts,
    outputBytes: options.outputBytes,
    substitute: options.substitute ?? false,
    ...(options.actionsFolder === undefined ? {} : { actions: options.actionsFolder }),
    ...(options.javascript ? { javascript: true } : {}),
  }
}
