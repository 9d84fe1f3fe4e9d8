import type { Command, Reporting, TestFilePlan } from '../../languages/adapter.ts'
import { WorkflowError } from '../../workflows/errors.ts'
import { resolveStep, scopeOfStep } from '../../workflows/resolve-step.ts'
import type { CaseResult, FileResult } from '../schema/ci-run.ts'
import type { Digest } from '../schema/ids.ts'
import type { CaseOutcome } from '../schema/test-result.ts'
import type { FileChange } from '../schema/tree.ts'
import { caseOutcome } from './case-outcome.ts'
import { makeCommandFiles } from './command-files.ts'
import { SharedFolderFullError } from './io-folder.ts'
import type { JobState } from './job-state.ts'
import { type LegJob, openReports, testScriptOf, worldOf } from './leg-world.ts'
import { maskLog, maskResults } from './log-commands.ts'
import { workingFolder } from './run-script.ts'
import { scopeNow } from './run-step.ts'
import { type ExecResult, HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session } from './session.ts'
import type { LegSetup } from './set-up-leg.ts'
import { NO_REPORTING, stepEnvironment } from './step-environment.ts'
import { masksOf } from './word.ts'

const BASH = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c']

/** One reviewer's or upstream file, with what enters the tree beside it. */
export interface TestFile {
  readonly path: string
  readonly cases: readonly string[]
  /** The whole test set, as the adapter sees it. */
  readonly all: readonly FileChange[]
  /** Files of the set that hold no case that is asked for: they enter every tree. */
  readonly helpers: readonly FileChange[]
  /** Milliseconds that a case may take at least, 0 for what the operator says. */
  readonly leastCaseMs: number
}

/** The test step that `arena tests` stands in for. */
interface Place {
  readonly run: string
  readonly cwd: string
  readonly stepId: string | null
  readonly stepEnv: Readonly<Record<string, string>>
}

/**
 * Builds one test file in the session's tree and runs each of its cases in a process of its own, in the place of the leg's
 * test step. `setup`: the job just before that step; when it
 * failed, nothing can be built.
 */
export async function runTestFile(
  job: LegJob,
  session: Session,
  setup: LegSetup,
  testStep: number,
  file: TestFile,
  word: string,
): Promise<FileResult> {
  const { state } = setup
  if (state.status !== 'success' || state.unsupported !== null) return notBuilt(file, [], lastLog(state))
  const place = placeOf(job, setup, testStep)
  if (place === undefined) return notBuilt(file, [], null)
  const hidden = masksOf(word)
  const bench = await openBench(job, session, setup, place, hidden)
  const reports = await openReports(job.adapter, session)
  const plan = job.adapter.planTestFile(
    job.tree.view,
    file.all,
    file.path,
    {
      run: place.run,
      repo: repoInside(job.tree.task.repoName),
      cwd: place.cwd,
      env: bench.environment(reports.reporting),
    },
    word,
  )
  await session.sandbox.writeFiles([...file.helpers, ...plan.changes])
  const { build } = plan
  const built = build && (await bench.run(build, reports.reporting, job.options.timeouts.buildMs))
  const commands = build ? [maskLog(build.script, hidden)] : []
  const buildLog = built?.log ?? null
  if (built && (built.executed.exitCode !== 0 || built.executed.timedOut)) {
    return notBuilt(file, commands, buildLog)
  }
  const cases: CaseResult[] = []
  for (const name of file.cases) {
    const command = plan.runCase(name)
    commands.push(maskLog(command.script, hidden))
    const result = await runCaseInRoom(name, () =>
      runCase(job, session, bench, plan, name, command, file.leastCaseMs),
    )
    cases.push({ ...result, parts: maskResults(result.parts, hidden) })
  }
  return { path: file.path, built: true, commands, buildLog, cases }
}

/** Runs commands where the test step would run. */
interface Bench {
  environment(reporting: Reporting): Readonly<Record<string, string>>
  run(
    command: Command,
    reporting: Reporting,
    timeoutMs: number,
  ): Promise<{ readonly executed: ExecResult; readonly log: Digest }>
}

async function openBench(
  job: LegJob,
  session: Session,
  setup: LegSetup,
  place: Place,
  hidden: readonly string[],
): Promise<Bench> {
  const { options, signal } = job
  const { context } = worldOf(job, setup.sha, NO_REPORTING)
  // Nobody reads what is written to these, but a test may expect them to be there.
  const files = await makeCommandFiles(session, session.newName(), context)
  const step = { env: place.stepEnv, id: place.stepId }
  const environment = (reporting: Reporting): Record<string, string> =>
    stepEnvironment(context, setup.state, step, files, reporting)
  return {
    environment,
    async run(command, reporting, timeoutMs) {
      const executed = await session.sandbox.exec({
        argv: ['/usr/bin/env', '-C', place.cwd, ...BASH, command.script],
        env: { ...environment(reporting), ...command.env },
        cwd: HOME_INSIDE,
        timeoutMs,
        outputBytes: options.outputBytes,
        ...(signal ? { signal } : {}),
      })
      // What an aborted command says is nobody's result.
      signal?.throwIfAborted()
      const text = maskLog(executed.output.toString('utf8'), [...setup.state.masks, ...hidden])
      return { executed, log: await options.putBlob(Buffer.from(text, 'utf8')) }
    },
  }
}

/** A case that finds no room to report in is absent: the code before it has taken all of it. */
async function runCaseInRoom(name: string, run: () => Promise<CaseResult>): Promise<CaseResult> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof SharedFolderFullError) return withoutProcess(name, 'absent')
    throw error
  }
}

/** One case in one process, with a report folder of its own. */
async function runCase(
  job: LegJob,
  session: Session,
  bench: Bench,
  plan: TestFilePlan,
  name: string,
  command: Command,
  leastCaseMs: number,
): Promise<CaseResult> {
  const reports = await openReports(job.adapter, session)
  const limitMs = Math.max(job.options.timeouts.caseMs, leastCaseMs)
  const { executed, log } = await bench.run(command, reports.reporting, limitMs)
  const read = plan.readCase(name, await reports.read())
  return {
    case: name,
    outcome: caseOutcome({ ...executed, ...read }),
    exitCode: executed.exitCode,
    signal: executed.signal,
    parts: [...read.parts],
    log,
    durationMs: executed.durationMs,
  }
}

/** A file that did not build, or whose leg did not come as far as its tests. */
const notBuilt = (
  file: TestFile,
  commands: readonly string[],
  buildLog: FileResult['buildLog'],
): FileResult => ({
  path: file.path,
  built: false,
  commands: [...commands],
  buildLog,
  cases: file.cases.map((name) => withoutProcess(name, 'not_built')),
})

/** A file whose sandbox broke. */
export const testsOfBrokenFile = (file: TestFile): FileResult => ({
  ...notBuilt(file, [], null),
  cases: file.cases.map((name) => withoutProcess(name, 'infra')),
})

const lastLog = (state: JobState): FileResult['buildLog'] =>
  state.results.findLast((step) => step.log)?.log ?? null

const withoutProcess = (name: string, outcome: CaseOutcome): CaseResult => ({
  case: name,
  outcome,
  exitCode: null,
  signal: null,
  parts: [],
  log: null,
  durationMs: 0,
})

/** Undefined when the step cannot be evaluated on this tree: then it would fail, and nothing is built. */
function placeOf(job: LegJob, setup: LegSetup, testStep: number): Place | undefined {
  const step = job.leg.definition.steps[testStep]
  if (!step) return undefined
  try {
    const { scope, env } = scopeOfStep(step, scopeNow(worldOf(job, setup.sha, NO_REPORTING), setup.state))
    const { work } = resolveStep(job.workflow, job.leg.definition, step, scope, env)
    if (work.kind !== 'run') return undefined
    const cwd = workingFolder(job.tree.task.repoName, work.workingDirectory)
    return { run: testScriptOf(job, work.script) ?? work.script, cwd, stepId: step.id, stepEnv: env }
  } catch (error) {
    if (error instanceof WorkflowError) return undefined
    throw error
  }
}
