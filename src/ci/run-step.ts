import { join } from 'node:path'
import type { Reporting } from '../../languages/adapter.ts'
import { mapAction } from '../../workflows/actions/index.ts'
import { evaluateCondition } from '../../workflows/conditions.ts'
import { refsOf } from '../../workflows/contexts.ts'
import { WorkflowError } from '../../workflows/errors.ts'
import type { Scope } from '../../workflows/expressions.ts'
import type { StepDefinition, WorkflowDefinition } from '../../workflows/parse.ts'
import type { AtHand } from '../../workflows/plan-step.ts'
import { type ResolvedStep, resolveStep, scopeOfStep } from '../../workflows/resolve-step.ts'
import { shellCommand } from '../../workflows/shell.ts'
import type { Conclusion, StepResult } from '../schema/ci-run.ts'
import { makeCommandFiles } from './command-files.ts'
import { isProtectedName, parseEnvFile, parsePathFile } from './env-files.ts'
import { insideIo, makeFile, readPlainFile } from './io-folder.ts'
import { type JobState, movingContexts, withStep } from './job-state.ts'
import { maskLog, readLogCommands } from './log-commands.ts'
import type { CiOptions } from './options.ts'
import { keptFolders, keptVariables } from './runner-variables.ts'
import { type ExecResult, HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session } from './session.ts'
import { type LegContext, stepEnvironment } from './step-environment.ts'
import { replayStep, type WarmStep } from './warm-record.ts'

/** Bytes read of one command file; GitHub allows one mebibyte of summary. */
const COMMAND_FILE_BYTES = 1024 * 1024

/** Everything that a step needs beside the state of its job. */
export interface StepWorld {
  readonly options: CiOptions
  readonly workflow: WorkflowDefinition
  readonly context: LegContext
  readonly atHand: AtHand
  readonly hashFiles: (patterns: readonly string[]) => string
  readonly reporting: Reporting
  /** Added on top of a step's environment: what the armed run needs. */
  readonly extraEnv: Readonly<Record<string, string>>
  /** Steps that ran in the leg's warm phase, by index. */
  readonly warm: ReadonlyMap<number, WarmStep>
  readonly signal: AbortSignal | undefined
}

/** The scope of a step that starts now. */
export function scopeNow(world: StepWorld, state: JobState): Scope {
  const { leg, sha } = world.context
  const github = leg.contexts.github
  return {
    path: world.workflow.path,
    status: state.status,
    hashFiles: world.hashFiles,
    contexts: {
      ...leg.contexts,
      ...movingContexts(state),
      github: typeof github === 'object' && github !== null ? { ...github, sha } : {},
      env: { ...leg.env, ...state.env },
    },
  }
}

/**
 * Runs one step, or passes over it when its `if` says so, and returns the job as it is then. A step that cannot be
 * evaluated fails, as on GitHub. Throws RunnerUnavailableError when the sandbox breaks.
 */
export async function runStep(
  world: StepWorld,
  session: Session,
  state: JobState,
  step: StepDefinition,
): Promise<JobState> {
  const blank: StepResult = {
    index: step.index,
    name: world.context.leg.steps[step.index]?.name ?? `step ${step.index + 1}`,
    uses: step.uses,
    outcome: 'skipped',
    conclusion: 'skipped',
    exitCode: null,
    durationMs: 0,
    log: null,
    droppedBytes: 0,
    notes: [],
  }
  try {
    const { scope, env } = scopeOfStep(step, scopeNow(world, state))
    if (!evaluateCondition(step.if, scope)) return withStep(state, step.id, blank, {})
    const resolved = resolveStep(world.workflow, world.context.leg.definition, step, scope, env)
    const named = { ...blank, name: resolved.name }
    const kept = world.warm.get(step.index)
    if (kept) return replayStep(state, step.id, resolved.name, kept)
    return resolved.work.kind === 'uses'
      ? runAction(world, state, step, resolved, resolved.work, named)
      : await runScript(world, session, state, step, resolved, resolved.work, named)
  } catch (error) {
    if (!(error instanceof WorkflowError)) throw error
    return withStep(state, step.id, ended(blank, 'failure', false, [error.message]), {})
  }
}

function runAction(
  world: StepWorld,
  state: JobState,
  step: StepDefinition,
  resolved: ResolvedStep,
  work: Extract<ResolvedStep['work'], { kind: 'uses' }>,
  blank: StepResult,
): JobState {
  const env = { ...world.context.leg.env, ...state.env, ...resolved.env }
  const refs = refsOf(scopeNow(world, state).contexts.github)
  const effect = mapAction(work.uses, { ...world.atHand, with: work.with, env, refs })
  if (effect.kind === 'unsupported') {
    // After a failure this is only how the job ends: a candidate must not turn its failed leg into an unsupported one.
    const reason = `${world.workflow.path}:${step.line}: ${effect.reason}`
    const next = withStep(state, step.id, ended(blank, 'unsupported', false, [reason]), {})
    return state.status === 'success' ? { ...next, unsupported: reason } : next
  }
  const next = withStep(state, step.id, ended(blank, 'success', false, effect.notes), effect.outputs)
  return { ...next, env: { ...next.env, ...effect.env }, path: [...effect.path, ...next.path] }
}

async function runScript(
  world: StepWorld,
  session: Session,
  state: JobState,
  step: StepDefinition,
  resolved: ResolvedStep,
  work: Extract<ResolvedStep['work'], { kind: 'run' }>,
  blank: StepResult,
): Promise<JobState> {
  const folder = session.newName()
  const shell = shellCommand(
    work.shell,
    insideIo(`${folder}/script${work.shell === 'python' ? '.py' : '.sh'}`),
  )
  if (shell.kind === 'unsupported') {
    return withStep(state, step.id, ended(blank, 'unsupported', false, [shell.reason]), {})
  }
  const files = await makeCommandFiles(session, folder, world.context)
  await makeFile(session.io, `${folder}/script${shell.extension}`, `${work.script}\n`, 0o755)
  const env = {
    ...stepEnvironment(world.context, state, { env: resolved.env, id: step.id }, files, world.reporting),
    ...world.extraEnv,
  }
  const left = Math.max(1, world.context.leg.timeoutMs - state.spentMs)
  const executed = await session.sandbox.exec({
    // `env -C` so that a folder that is missing fails the step, not the sandbox.
    argv: ['/usr/bin/env', '-C', workingFolder(world.context.repoName, work.workingDirectory), ...shell.argv],
    env,
    cwd: HOME_INSIDE,
    timeoutMs: Math.min(resolved.timeoutMs, world.options.timeouts.stepMs, left),
    outputBytes: world.options.outputBytes,
    ...(world.signal ? { signal: world.signal } : {}),
  })
  return afterScript(world, session, state, step, resolved, work.script, folder, executed, blank)
}

async function afterScript(
  world: StepWorld,
  session: Session,
  state: JobState,
  step: StepDefinition,
  resolved: ResolvedStep,
  script: string,
  folder: string,
  executed: ExecResult,
  blank: StepResult,
): Promise<JobState> {
  const read = async (name: string): Promise<string> =>
    (await readPlainFile(join(session.io.host, folder, name), COMMAND_FILE_BYTES))?.toString('utf8') ?? ''
  const text = executed.output.toString('utf8')
  const commands = readLogCommands(text)
  const masks = [...state.masks, ...commands.masks]
  const log = await world.options.putBlob(Buffer.from(maskLog(text, masks), 'utf8'))
  const env = parseEnvFile(await read('env'))
  const output = parseEnvFile(await read('output'))
  const refused = [env, output].flatMap((file) => (file.kind === 'invalid' ? [file.reason] : []))
  const outcome = refused.length > 0 ? 'failure' : outcomeOf(executed)
  const variables = keptVariables(env.kind === 'read' ? env.entries : [], script)
  const folders = keptFolders(parsePathFile(await read('path')), script)
  const notes = [
    ...refused.map((reason) => `unable to process a command file: ${reason}`),
    ...(executed.outOfMemory ? ['a process was killed for memory'] : []),
    ...[...variables.notes, ...folders.notes, ...commands.annotations].map((text) => maskLog(text, masks)),
  ]
  const result: StepResult = {
    ...ended(blank, outcome, resolved.continueOnError, notes),
    exitCode: executed.exitCode,
    durationMs: executed.durationMs,
    log,
    droppedBytes: executed.droppedBytes,
  }
  const outputs = Object.fromEntries([...commands.outputs, ...(output.kind === 'read' ? output.entries : [])])
  const next = withStep(state, step.id, result, outputs)
  const set = variables.kept.filter(([name]) => !isProtectedName(name))
  return {
    ...next,
    masks,
    env: { ...next.env, ...Object.fromEntries(set) },
    path: [...folders.kept, ...next.path],
  }
}

/** A step's folder inside the sandbox: its working-directory, from the workspace on. */
export function workingFolder(repoName: string, workingDirectory: string | null): string {
  if (workingDirectory === null || workingDirectory === '') return repoInside(repoName)
  return workingDirectory.startsWith('/') ? workingDirectory : `${repoInside(repoName)}/${workingDirectory}`
}

function outcomeOf(executed: ExecResult): Conclusion {
  if (executed.timedOut) return 'timed_out'
  return executed.exitCode === 0 ? 'success' : 'failure'
}

function ended(
  blank: StepResult,
  outcome: Conclusion,
  continueOnError: boolean,
  notes: readonly string[],
): StepResult {
  const conclusion = outcome !== 'success' && continueOnError ? 'success' : outcome
  return { ...blank, outcome, conclusion, notes: notes.filter((note) => note !== '') }
}
