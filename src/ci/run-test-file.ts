import type { Command, Reporting, TestFilePlan } from '../../languages/adapter.ts'
import { WorkflowError } from '../../workflows/errors.ts'
import { resolveStep, scopeOfStep } from '../../workflows/resolve-step.ts'
import type { CaseResult, FileResult } from '../schema/ci-run.ts'
import type { CaseOutcome } from '../schema/test-result.ts'
import type { FileChange } from '../schema/tree.ts'
import { caseOutcome } from './case-outcome.ts'
import { insideIo, makeFile, makeFolder } from './io-folder.ts'
import type { JobState } from './job-state.ts'
import { type LegJob, openReports, worldOf } from './leg-world.ts'
import { maskLog } from './log-commands.ts'
import { scopeNow, workingFolder } from './run-step.ts'
import { type ExecResult, HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session } from './session.ts'
import type { LegSetup } from './set-up-leg.ts'
import { type CommandFiles, NO_REPORTING, stepEnvironment } from './step-environment.ts'

/** One reviewer's or upstream file, with what enters the tree beside it. */
export interface TestFile {
  readonly path: string
  readonly cases: readonly string[]
  /** The whole test set, as the adapter sees it. */
  readonly all: readonly FileChange[]
  /** Files of the set that hold no case that is asked for: they enter every tree. */
  readonly helpers: readonly FileChange[]
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
  const { state: start, sha } = setup
  if (start.status !== 'success' || start.unsupported !== null) return notBuilt(file, [], lastLog(start))
  const place = placeOf(job, start, sha, testStep)
  if (place === undefined) return notBuilt(file, [], null)
  const commandFiles = await emptyCommandFiles(session)
  const envFor = (reporting: Reporting) =>
    stepEnvironment(
      worldOf(job, sha, reporting).context,
      start,
      { env: place.stepEnv, id: place.stepId },
      commandFiles,
      reporting,
    )
  const whole = await openReports(job.adapter, session)
  const plan = job.adapter.planTestFile(
    job.tree.view,
    file.all,
    file.path,
    {
      run: place.run,
      repo: repoInside(job.tree.task.repoName),
      cwd: place.cwd,
      env: envFor(whole.reporting),
    },
    word,
  )
  await session.sandbox.writeFiles([...file.helpers, ...plan.changes])
  const exec = (
    command: Command,
    env: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<ExecResult> =>
    session.sandbox.exec({
      argv: [
        '/usr/bin/env',
        '-C',
        place.cwd,
        'bash',
        '--noprofile',
        '--norc',
        '-eo',
        'pipefail',
        '-c',
        command.script,
      ],
      env: { ...env, ...command.env },
      cwd: HOME_INSIDE,
      timeoutMs,
      outputBytes: job.options.outputBytes,
      ...(job.signal ? { signal: job.signal } : {}),
    })
  const keepLog = (executed: ExecResult) =>
    job.options.putBlob(Buffer.from(maskLog(executed.output.toString('utf8'), start.masks), 'utf8'))

  const commands = plan.build ? [plan.build.script] : []
  let buildLog: FileResult['buildLog'] = null
  if (plan.build) {
    const built = await exec(plan.build, envFor(whole.reporting), job.options.timeouts.buildMs)
    buildLog = await keepLog(built)
    if (built.exitCode !== 0 || built.timedOut) return notBuilt(file, commands, buildLog)
  }
  const cases: CaseResult[] = []
  for (const name of file.cases) {
    job.signal?.throwIfAborted()
    const reports = await openReports(job.adapter, session)
    const command = plan.runCase(name)
    commands.push(command.script)
    const executed = await exec(command, envFor(reports.reporting), job.options.timeouts.caseMs)
    cases.push(caseResult(plan, name, executed, await reports.read(), await keepLog(executed)))
  }
  return { path: file.path, built: true, commands, buildLog, cases }
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

function caseResult(
  plan: TestFilePlan,
  name: string,
  executed: ExecResult,
  reports: Parameters<TestFilePlan['readCase']>[1],
  log: CaseResult['log'],
): CaseResult {
  const read = plan.readCase(name, reports)
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

/** Undefined when the step cannot be evaluated on this tree: then it would fail, and nothing is built. */
function placeOf(job: LegJob, state: JobState, sha: string, testStep: number): Place | undefined {
  const step = job.leg.definition.steps[testStep]
  if (!step) return undefined
  try {
    const { scope, env } = scopeOfStep(step, scopeNow(worldOf(job, sha, NO_REPORTING), state))
    const { work } = resolveStep(job.workflow, job.leg.definition, step, scope, env)
    if (work.kind !== 'run') return undefined
    const cwd = workingFolder(job.tree.task.repoName, work.workingDirectory)
    return { run: work.script, cwd, stepId: step.id, stepEnv: env }
  } catch (error) {
    if (error instanceof WorkflowError) return undefined
    throw error
  }
}

/** GITHUB_ENV and its like, which a test may expect to be there; nobody reads them. */
async function emptyCommandFiles(session: Session): Promise<CommandFiles> {
  const folder = session.newName()
  await makeFolder(session.io, folder)
  const names = { env: 'env', output: 'output', path: 'path', state: 'state', summary: 'summary' }
  for (const name of Object.values(names)) await makeFile(session.io, `${folder}/${name}`, '', 0o666)
  const inside = (name: string): string => insideIo(`${folder}/${name}`)
  return {
    env: inside(names.env),
    output: inside(names.output),
    path: inside(names.path),
    state: inside(names.state),
    summary: inside(names.summary),
  }
}
