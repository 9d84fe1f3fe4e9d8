import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError } from '../errors.ts'
import type { Cells } from '../match/cells.ts'
import { mapLimited } from '../match/limit.ts'
import { verifyTaskByCi } from '../match/verify-task.ts'
import type { OnEvent } from '../schema/event.ts'
import { Digest } from '../schema/ids.ts'
import type { LoadedTask } from '../schema/task.ts'
import { type Verification, type VerificationCode, VerificationRecord } from '../schema/verification.ts'
import { findTaskFolders, loadTask } from '../task/load.ts'
import { putInPlay } from './tasks-in-play.ts'
import { missingTools, type Workplace } from './workplace.ts'

/** Beside task.json. */
const RECORD = 'verification.json'

/** Tasks whose runs wait for sandboxes at the same time. */
const AT_ONCE = 2

export interface VerifiedTask {
  readonly folder: string
  readonly task: string
  readonly language: string | null
  readonly verification: Verification
  /** Whether an earlier verification of the same task in the same environment was taken. */
  readonly kept: boolean
}

export interface VerifyTasksRequest {
  /** Task folders, or folders of them; absolute. */
  readonly paths: readonly string[]
  readonly workplace: Pick<Workplace, 'templates' | 'toolchains'>
  /** Cells of three executors, the last of which starts cold. */
  readonly cells: readonly Cells[]
  readonly environment: string
  /** Verify again what was verified already. */
  readonly again: boolean
  readonly now: () => number
  readonly onEvent: OnEvent
  readonly signal?: AbortSignal | undefined
}

/**
 * Verifies every task by its real CI and writes `verification.json` beside task.json; lists that are empty there are filled
 * in. A task that cannot be read is a finding like any other. Throws when the world breaks or `signal` says so; what is done
 * by then is kept, and its runs are found by the next call.
 */
export async function verifyTasks(request: VerifyTasksRequest): Promise<readonly VerifiedTask[]> {
  const folders = (await Promise.all(request.paths.map(findTaskFolders))).flat()
  request.onEvent({ kind: 'verification-started', tasks: folders.length })
  let done = 0
  return mapLimited(folders, AT_ONCE, async (folder) => {
    request.signal?.throwIfAborted()
    const verified = await verifyFolder(folder, request)
    done += 1
    const { stage } = verified.verification
    request.onEvent({ kind: 'task-verified', task: verified.task, stage, done, total: folders.length })
    return verified
  })
}

async function verifyFolder(folder: string, request: VerifyTasksRequest): Promise<VerifiedTask> {
  const loaded = await orFinding(() => loadTask(folder))
  if (loaded instanceof InputError) return refused(folder, null, 'unreadable', loaded.message)
  const { task } = loaded
  if (task.goldenPatch === null)
    return refused(
      folder,
      loaded,
      'live',
      'there is no golden patch; arena task settle adds it when a fix is merged',
    )
  const missing = missingTools(request.workplace.toolchains, task.language)
  if (missing.length > 0)
    return refused(folder, loaded, 'tools-missing', `${missing.map(({ tool }) => tool).join(', ')} not found`)
  const kept = request.again ? undefined : await readRecord(folder)
  if (kept && kept.task === loaded.digest && kept.environment === request.environment)
    return { folder, task: task.id, language: task.language, verification: kept.verification, kept: true }
  const inPlay = await orFinding(() => putInPlay(loaded, request.workplace.templates))
  if (inPlay instanceof InputError) return refused(folder, loaded, 'unreadable', inPlay.message)
  const ran = await orFinding(() => verifyTaskByCi(inPlay, { cells: request.cells }))
  if (ran instanceof InputError) return refused(folder, loaded, 'unreadable', ran.message)
  // Nothing is kept of a machine that broke: the next call tries again.
  if (!ran.findings.some(({ code }) => code === 'infrastructure'))
    await keep(loaded, ran, request.environment, request.now())
  return { folder, task: task.id, language: task.language, verification: ran, kept: false }
}

async function orFinding<T>(work: () => Promise<T>): Promise<T | InputError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
}

const NO_COST = { durationMs: 0, cpuMs: null, peakMemoryMiB: null }

function refused(
  folder: string,
  loaded: LoadedTask | null,
  code: VerificationCode,
  message: string,
): VerifiedTask {
  return {
    folder,
    task: loaded?.task.id ?? folder,
    language: loaded?.task.language ?? null,
    kept: false,
    verification: {
      stage: loaded === null ? 'found' : 'read',
      rated: false,
      findings: [{ code, severity: 'loss', message }],
      FAIL_TO_PASS: [],
      PASS_TO_PASS: [],
      flaky: [],
      admitted: { of: 0, keys: 0 },
      unarmed: [],
      base: NO_COST,
      golden: NO_COST,
    },
  }
}

/** The task's record; undefined when there is none that can be read. */
export async function readRecord(folder: string): Promise<VerificationRecord | undefined> {
  try {
    const text = await readFile(join(folder, RECORD), 'utf8')
    return VerificationRecord.safeParse(JSON.parse(text)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function keep(
  loaded: LoadedTask,
  verification: Verification,
  environment: string,
  now: number,
): Promise<void> {
  const { folder, task } = loaded
  const isOpen = task.FAIL_TO_PASS.length === 0 && task.PASS_TO_PASS.length === 0
  if (isOpen && verification.stage === 'accepted') {
    const { FAIL_TO_PASS, PASS_TO_PASS } = verification
    const text = await readFile(join(folder, 'task.json'), 'utf8')
    const filled = { ...(JSON.parse(text) as object), FAIL_TO_PASS, PASS_TO_PASS }
    await replaceFile(join(folder, 'task.json'), `${JSON.stringify(filled, null, 2)}\n`)
  }
  const record: VerificationRecord = {
    schemaVersion: 1,
    task: Digest.parse((await loadTask(folder)).digest),
    environment: Digest.parse(environment),
    verifiedAt: new Date(now).toISOString(),
    verification,
  }
  await replaceFile(join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`)
}

/** The old file or the new one, whatever happens in between. */
async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text)
  await rename(`${path}.new`, path)
}
