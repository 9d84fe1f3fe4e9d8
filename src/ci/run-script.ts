import { join } from 'node:path'
import type { StepDefinition } from '../../workflows/parse.ts'
import type { ResolvedStep } from '../../workflows/resolve-step.ts'
import { shellCommand } from '../../workflows/shell.ts'
import type { Conclusion, StepResult } from '../schema/ci-run.ts'
import { makeCommandFiles } from './command-files.ts'
import { isProtectedName, parseEnvFile, parsePathFile } from './env-files.ts'
import { insideIo, makeFile, readPlainFile } from './io-folder.ts'
import { type JobState, withStep } from './job-state.ts'
import { maskLog, readLogCommands } from './log-commands.ts'
import type { StepWorld } from './run-step.ts'
import { keptFolders, keptVariables } from './runner-variables.ts'
import { type ExecResult, HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session } from './session.ts'
import { stepEnvironment } from './step-environment.ts'

/** Bytes read of one command file; GitHub allows one mebibyte of summary. */
const COMMAND_FILE_BYTES = 1024 * 1024

/** Runs a `run` step's script, reads its command files, and returns the job as it is then. */
export async function runScript(
  world: StepWorld,
  session: Session,
  state: JobState,
  step: StepDefinition,
  resolved: ResolvedStep,
  work: Extract<ResolvedStep['work'], { kind: 'run' }>,
  blank: StepResult,
): Promise<JobState> {
  const folder = session.newName()
  const shell = shellCommand(work.shell, 'pwsh' in world.atHand.tools)
  if (shell.kind === 'unsupported') {
    return withStep(state, step.id, ended(blank, 'unsupported', false, [shell.reason]), {})
  }
  const files = await makeCommandFiles(session, folder, world.context)
  const script = `${folder}/script${shell.extension}`
  await makeFile(session.io, script, shell.textOf(work.script), 0o755)
  const env = {
    ...stepEnvironment(world.context, state, { env: resolved.env, id: step.id }, files, world.reporting),
    ...world.extraEnv,
  }
  const left = Math.max(1, world.context.leg.timeoutMs - state.spentMs)
  const executed = await session.sandbox.exec({
    // `env -C` so that a folder that is missing fails the step, not the sandbox.
    argv: [
      '/usr/bin/env',
      '-C',
      workingFolder(world.context.repoName, work.workingDirectory),
      ...shell.argv(insideIo(script)),
    ],
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

/** A step's result with its outcome, and the conclusion that its `continue-on-error` makes of it. */
export function ended(
  blank: StepResult,
  outcome: Conclusion,
  continueOnError: boolean,
  notes: readonly string[],
): StepResult {
  const conclusion = outcome !== 'success' && continueOnError ? 'success' : outcome
  return { ...blank, outcome, conclusion, notes: notes.filter((note) => note !== '') }
}
