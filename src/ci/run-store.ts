import { posix } from 'node:path'
import type { StoreCommand } from '../../workflows/actions/action.ts'
import { globPattern } from '../../workflows/glob.ts'
import { type JobState, withStep } from './job-state.ts'
import { type KeptFile, packFiles, unpackFile } from './kept-files.ts'
import { commonRoot, pathPatterns } from './path-patterns.ts'
import type { ActionStep } from './run-action.ts'
import { ended, workingFolder } from './run-script.ts'
import type { StepWorld } from './run-step.ts'
import { HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session } from './session.ts'

interface Done {
  readonly isGood: boolean
  readonly note: string
  readonly outputs?: Readonly<Record<string, string>>
  readonly kept?: readonly KeptFile[]
  readonly saveAtEnd?: JobState['saveAtEnd']
}

/** A cache or artifact action: what it keeps is seen by the steps after it and by the jobs that need this one. */
export async function runStore(action: ActionStep, command: StoreCommand): Promise<JobState> {
  const { world, state, step, resolved, blank } = action
  const done = await does(action, command)
  const result = ended(blank, done.isGood ? 'success' : 'failure', resolved.continueOnError, [done.note])
  const next = withStep(state, step.id, result, done.outputs ?? {})
  world.signal?.throwIfAborted()
  return {
    ...next,
    kept: [...next.kept, ...(done.kept ?? [])],
    saveAtEnd: [...next.saveAtEnd, ...(done.saveAtEnd ?? [])],
  }
}

/** The caches that `actions/cache` saves when its job has succeeded and its key was not found. */
export async function saveCaches(world: StepWorld, session: Session, state: JobState): Promise<JobState> {
  let next = state
  for (const { key, paths } of state.status === 'success' ? state.saveAtEnd : []) {
    const { kept = [] } = await save(world, session, next, key, paths)
    next = { ...next, kept: [...next.kept, ...kept] }
  }
  return next
}

function does(action: ActionStep, command: StoreCommand): Promise<Done> {
  switch (command.kind) {
    case 'upload':
      return upload(action, command)
    case 'download':
      return download(action, command)
    case 'restore':
      return restore(action, command)
    case 'save':
      return save(action.world, action.session, action.state, command.key, command.paths)
  }
}

const workspaceOf = (world: StepWorld): string => repoInside(world.context.repoName)

async function upload(
  { world, session, state }: ActionStep,
  { name, paths, ifNoFiles, withHidden, overwrites }: Extract<StoreCommand, { kind: 'upload' }>,
): Promise<Done> {
  if (artifactsOf(state).some((one) => one.name === name) && !overwrites)
    return { isGood: false, note: `an artifact ${name} is there already` }
  const patterns = pathPatterns(paths, workspaceOf(world))
  const root = commonRoot(patterns)
  const packed = await packFiles(world, session, { kind: 'artifact', name, patterns, root, withHidden })
  if (packed.kind === 'failed') return { isGood: false, note: `artifact ${name}: ${packed.reason}` }
  if (packed.kind === 'empty')
    return { isGood: ifNoFiles !== 'error', note: `artifact ${name}: no files were found at ${paths.trim()}` }
  const note = `artifact ${name}: ${packed.files} files kept for the jobs that need this one`
  const outputs = { 'artifact-id': String(state.kept.length + 1), 'artifact-digest': packed.kept.digest }
  return { isGood: true, note, outputs, kept: [packed.kept] }
}

async function download(
  { world, session, state }: ActionStep,
  { name, pattern, path, merge }: Extract<StoreCommand, { kind: 'download' }>,
): Promise<Done> {
  const artifacts = artifactsOf(state)
  const wanted = artifacts.filter((one) =>
    name === null ? globPattern(pattern).test(one.name) : one.name === name,
  )
  if (name !== null && wanted.length === 0) {
    const there = artifacts.map((one) => one.name).join(', ') || 'none'
    return {
      isGood: false,
      note: `artifact ${name} was not found in the jobs that this one needs (${there})`,
    }
  }
  const target = workingFolder(world.context.repoName, path.replace(/^~(?=\/|$)/, HOME_INSIDE))
  for (const one of wanted) {
    const folder = name !== null || merge ? target : posix.join(target, one.name)
    const problem = await unpackFile(world, session, one, folder)
    if (problem !== undefined) return { isGood: false, note: `artifact ${one.name}: ${problem}` }
  }
  const note =
    wanted.length === 0 ? 'there is no artifact' : `artifact ${wanted.map((one) => one.name).join(', ')}`
  return { isGood: true, note, outputs: { 'download-path': target } }
}

async function restore(
  { world, session, state }: ActionStep,
  { key, restoreKeys, paths, failOnMiss, savesAtEnd }: Extract<StoreCommand, { kind: 'restore' }>,
): Promise<Done> {
  const found = cacheFor(state, key, restoreKeys)
  const saveAtEnd = savesAtEnd && found?.name !== key ? [{ key, paths }] : []
  const outputs = {
    'cache-primary-key': key,
    'cache-hit': found ? String(found.name === key) : '',
    'cache-matched-key': found?.name ?? '',
  }
  if (!found) return { isGood: !failOnMiss, note: `no cache ${key}`, outputs, saveAtEnd }
  const problem = await unpackFile(world, session, found, workspaceOf(world))
  if (problem !== undefined) return { isGood: true, note: `cache ${found.name}: ${problem}`, saveAtEnd }
  return { isGood: true, note: `cache ${found.name} restored`, outputs, saveAtEnd }
}

async function save(
  world: StepWorld,
  session: Session,
  state: JobState,
  key: string,
  paths: string,
): Promise<Done> {
  if (state.kept.some((one) => one.kind === 'cache' && one.name === key))
    return { isGood: true, note: `a cache ${key} is there already` }
  const patterns = pathPatterns(paths, workspaceOf(world))
  const request = { kind: 'cache', name: key, patterns, root: '/', withHidden: true } as const
  const packed = await packFiles(world, session, request)
  if (packed.kind === 'packed') return { isGood: true, note: `cache ${key} saved`, kept: [packed.kept] }
  return {
    isGood: true,
    note: packed.kind === 'empty' ? `cache ${key}: no files` : `cache ${key}: ${packed.reason}`,
  }
}

const artifactsOf = (state: JobState): readonly KeptFile[] => {
  const newest = new Map(state.kept.filter(({ kind }) => kind === 'artifact').map((one) => [one.name, one]))
  return [...newest.values()]
}

/** The cache with the key itself; else the newest whose key begins with it, then with each of the others in turn. */
function cacheFor(state: JobState, key: string, restoreKeys: readonly string[]): KeptFile | undefined {
  const caches = state.kept.filter(({ kind }) => kind === 'cache')
  const exact = caches.find((one) => one.name === key)
  const prefixes = [key, ...restoreKeys].map((prefix) =>
    caches.findLast((one) => one.name.startsWith(prefix)),
  )
  return exact ?? prefixes.find((one) => one !== undefined)
}
