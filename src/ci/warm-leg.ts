import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RUNNER_TEMP } from '../../workflows/contexts.ts'
import type { StepClass } from '../../workflows/step-class.ts'
import { RunnerUnavailableError } from '../errors.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { OnEvent } from '../schema/event.ts'
import { type FetchProxy, startFetchProxy } from './fetch-proxy.ts'
import { insideIo, makeFolder, readPlainFiles } from './io-folder.ts'
import { FRESH_JOB, type JobState } from './job-state.ts'
import { atHandOf, type LegJob, runSteps, testSteps, worldOf } from './leg-world.ts'
import type { WarmOptions } from './options.ts'
import { prepareTree } from './prepare-tree.ts'
import { removeTree } from './remove-tree.ts'
import { HOME_INSIDE, repoInLayer, repoInside } from './runners/port.ts'
import type { Session, WithSession } from './session.ts'
import { NO_REPORTING } from './step-environment.ts'
import type { Toolchains } from './toolchains.ts'
import type { WarmLayer, WarmLayers } from './warm-layers.ts'
import { WarmRecord, type WarmStep, warmStepOf } from './warm-record.ts'
import {
  fetchingToolchains,
  MISSING_VARIABLE,
  makePythonScript,
  missingSentence,
  warmToolchains,
  wheelScript,
} from './warm-toolchains.ts'

/** Raised when the warm phase leaves something else behind: layers of another version are not used. */
const WARM_VERSION = 2

/** The network failed where a set-up step needed it: no doing of a candidate's, since none is there yet. */
export class WarmNetworkError extends RunnerUnavailableError {}

/** A leg with what its warm phase left, and the layers that lie under every tree of it. */
export interface WarmLeg {
  readonly job: LegJob
  readonly layers: readonly string[]
}

export interface WarmShop {
  readonly withSession: WithSession
  readonly warmLayers: WarmLayers
  readonly environmentDigest: string
}

/**
 * The leg on the layer of its warm phase, which runs when no kept one fits: on the base tree alone, with a network, all steps
 * but tests that need none. Steps that only install are not run again; what builds the tree is, without a network, on what
 * the warm phase has built. Throws WarmNetworkError when a step that only installs failed and a host did not answer.
 */
export async function warmLeg(shop: WarmShop, job: LegJob, warm: WarmOptions): Promise<WarmLeg> {
  const { task } = job.tree
  const { substitute } = atHandOf(job.options, job.tree)
  const warmed: LegJob = {
    ...job,
    options: { ...job.options, toolchains: warmToolchains(job.options.toolchains, substitute) },
  }
  const key = digestOfValue({
    version: WARM_VERSION,
    task: task.loaded.digest,
    workflow: job.workflow.path,
    leg: job.leg.leg,
    needs: job.leg.contexts.needs ?? null,
    environment: shop.environmentDigest,
    env: warm.env,
    substitute,
  })
  const kept = await shop.warmLayers.get(key, (layer) =>
    makeLayer(shop, warmed, job.options.toolchains, warm, layer),
  )
  const record = await readRecord(kept, job)
  const steps = new Map(record.steps.map((step) => [step.result.index, step]))
  return { job: { ...warmed, warm: steps }, layers: [kept.layer, task.layer] }
}

/** The logs of its steps may be kept elsewhere than this run keeps its own. */
async function readRecord(kept: WarmLayer, job: LegJob): Promise<WarmRecord> {
  const record = WarmRecord.parse(JSON.parse(kept.record.toString('utf8')))
  for (const refusal of record.refusals)
    job.options.onEvent?.({ kind: 'warning', message: `set-up of ${job.leg.leg} did not reach ${refusal}` })
  for (const text of Object.values(record.logs)) await job.options.putBlob(Buffer.from(text, 'utf8'))
  return record
}

async function makeLayer(
  shop: WarmShop,
  job: LegJob,
  original: Toolchains,
  warm: WarmOptions,
  layer: string,
): Promise<Buffer> {
  const { task } = job.tree
  // Paths of sockets are short, and the data folder's may be long.
  const closed = await mkdtemp(join(tmpdir(), 'arena-'))
  const socket = join(closed, 'fetch')
  const proxy = await startFetchProxy({
    socket,
    addressOf: warm.addressOf,
    ports: warm.ports,
    bytes: warm.fetchBytes,
  })
  try {
    const fetch = { socket, binds: warm.binds }
    return await shop.withSession(
      { layers: [task.layer], repoName: task.repoName, fetch },
      async (session) => {
        const record = await runWarm(job, original, warm, session, proxy)
        await session.sandbox.snapshot(layer)
        if (!record.keepsTree) await removeTree(join(layer, repoInLayer(task.repoName)))
        return Buffer.from(JSON.stringify(record), 'utf8')
      },
    )
  } finally {
    await proxy.close()
    await removeTree(closed)
  }
}

async function runWarm(
  job: LegJob,
  original: Toolchains,
  warm: WarmOptions,
  session: Session,
  proxy: FetchProxy,
): Promise<WarmRecord> {
  const missing = `missing-${session.newName()}`
  await makeFolder(session.io, missing)
  const toolchains = fetchingToolchains(job.options.toolchains, {
    ...warm.env,
    [MISSING_VARIABLE]: join(insideIo(missing), 'packages'),
  })
  const logs = new Map<string, string>()
  const putBlob = async (bytes: Uint8Array): ReturnType<LegJob['options']['putBlob']> => {
    const digest = await job.options.putBlob(bytes)
    logs.set(digest, Buffer.from(bytes).toString('utf8'))
    return digest
  }
  const { onEvent } = job.options
  const inWarm: OnEvent = (event) =>
    onEvent?.(event.kind === 'step' ? { ...event, leg: `${event.leg} (warm)` } : event)
  const fetching: LegJob = { ...job, options: { ...job.options, toolchains, putBlob, onEvent: inWarm } }
  await shell(fetching, session, makePythonScript(original), 'the leg’s own Python could not be made', {
    remedy: 'install python3-venv',
  })
  const prepared = await prepareTree(session, job.tree, toolchains, pathOf(toolchains), RUNNER_TEMP)
  if (prepared.kind === 'failed') throw new RunnerUnavailableError(prepared.reason)
  const world = worldOf(fetching, prepared.sha, NO_REPORTING)
  const steps: WarmStep[] = []
  let state: JobState = FRESH_JOB
  let anyFailed = false
  for (const step of job.leg.definition.steps) {
    if (!runsWarm(job, step.index)) continue
    const ran = await runSteps(world, session, state, step.index, step.index + 1)
    const failed = ran.status !== 'success' && state.status === 'success'
    anyFailed ||= failed
    const next = failed ? { ...ran, unsupported: await missingPackages(session, missing) } : ran
    const done = warmStepOf(state, next, step.id)
    // What is not on this machine is not there later either: the leg ends with it, whatever the step does beside.
    const isLast = failed && (next.unsupported !== null || isOnlyInstalling(job, step.index))
    if (done && (isLast || isOnlyInstalling(job, step.index))) steps.push(done)
    if (isLast) {
      if (next.unsupported === null) assertNetwork(proxy, done?.result.name ?? `step ${step.index + 1}`)
      break
    }
    // What builds or tests base may fail there; that is told by the run without a network.
    state = { ...next, status: 'success', unsupported: null }
  }
  await shell(fetching, session, wheelScript(original), null)
  return {
    format: 1,
    steps,
    hosts: [...proxy.hosts()],
    refusals: anyFailed ? [...proxy.refusals()] : [],
    logs: Object.fromEntries(logs),
    keepsTree: !job.leg.steps.some((step) => step.script !== null && buildsOnce(step.script)),
  }
}

/** What the stand-ins for the machine's installers did not find, in a sentence; null when they found all. */
async function missingPackages(session: Session, folder: string): Promise<string | null> {
  const files = await readPlainFiles(session.io, folder, 64 * 1024)
  const text = files.get('packages')?.toString('utf8') ?? ''
  return missingSentence(text.split('\n'))
}

const classOf = (job: LegJob, index: number): StepClass => job.leg.steps[index]?.class ?? 'offline'

const isOnlyInstalling = (job: LegJob, index: number): boolean => classOf(job, index) === 'warm'

/** All but tests that need no network: what is built on base need not be built again. */
const runsWarm = (job: LegJob, index: number): boolean =>
  classOf(job, index) !== 'offline' || !testSteps(job).includes(index)

/** A script that makes a folder or a link which must not be there yet would fail on the tree that it has left. */
const buildsOnce = (script: string): boolean =>
  /\bmkdir\s+(?!-)[^\n]*|\bln\s+-s\s|\bgit\s+clone\b/.test(script)

function assertNetwork(proxy: FetchProxy, step: string): void {
  const refusals = proxy.refusals()
  if (refusals.length > 0)
    throw new WarmNetworkError(`${step} needs the network: ${refusals.slice(0, 3).join(', ')}`)
}

const pathOf = (toolchains: Toolchains): string =>
  [...toolchains.path, '/usr/local/bin', '/usr/bin', '/bin'].join(':')

/** A script of the arena's own in the repository's folder. `problem`: what to say when it fails; null lets it fail. */
async function shell(
  job: LegJob,
  session: Session,
  script: string | undefined,
  problem: string | null,
  fields: { readonly remedy?: string } = {},
): Promise<void> {
  if (script === undefined) return
  const { toolchains, timeouts } = job.options
  const executed = await session.sandbox.exec({
    argv: ['/usr/bin/env', 'bash', '--noprofile', '--norc', '-euo', 'pipefail', '-c', script],
    env: { ...toolchains.env, HOME: HOME_INSIDE, PATH: pathOf(toolchains), LANG: 'C.UTF-8' },
    cwd: repoInside(job.tree.task.repoName),
    timeoutMs: timeouts.buildMs,
    outputBytes: 64 * 1024,
    ...(job.signal ? { signal: job.signal } : {}),
  })
  if (problem !== null && executed.exitCode !== 0) {
    const said = executed.output.toString('utf8').trim().split('\n').at(-1) ?? ''
    throw new RunnerUnavailableError(`${problem}: ${said}`, fields)
  }
}
