import { createHash } from 'node:crypto'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { insideIo, makeFolder, readPlainFile } from './io-folder.ts'
import type { StepWorld } from './run-step.ts'
import { type ExecResult, HOME_INSIDE, repoInside } from './runners/port.ts'
import type { Session } from './session.ts'
import { PACK_SCRIPT, UNPACK_SCRIPT } from './store-scripts.ts'

/** Bytes of one artifact or cache. */
const FILE_BYTES = 1024 ** 3
const TIMEOUT_MS = 300_000

/** An artifact or a cache that a job has left for the jobs that need it. */
export interface KeptFile {
  readonly kind: 'artifact' | 'cache'
  /** The artifact's name, or the cache's key. */
  readonly name: string
  /** SHA-256 of the archive. */
  readonly digest: string
  /** The archive, in the work folder of this process. */
  readonly file: string
}

/** One line of a `path` input. Absolute paths inside the sandbox. */
export interface PathPattern {
  readonly isExcluded: boolean
  /** The folders before the first wildcard. */
  readonly root: string
  readonly pattern: string
}

export interface PackRequest {
  readonly kind: KeptFile['kind']
  readonly name: string
  readonly patterns: readonly PathPattern[]
  /** The folder that paths in the archive are relative to; caches keep whole paths. */
  readonly root: string
  readonly withHidden: boolean
}

export type Packed =
  | { readonly kind: 'packed'; readonly kept: KeptFile; readonly files: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'failed'; readonly reason: string }

/** Archives files of the sandbox outside of it. Equal files make equal archives. */
export async function packFiles(world: StepWorld, session: Session, request: PackRequest): Promise<Packed> {
  const folder = session.newName()
  await makeFolder(session.io, folder)
  const lines = request.patterns.map(
    ({ isExcluded, root, pattern }) => `${isExcluded ? '-' : '+'}\t${root}\t${pattern}\n`,
  )
  const executed = await inSandbox(world, session, PACK_SCRIPT, {
    ARENA_ARCHIVE: insideIo(`${folder}/archive.tar`),
    ARENA_LIST: insideIo(`${folder}/list`),
    ARENA_PATTERNS: lines.join(''),
    ARENA_ROOT: request.root,
    ARENA_HIDDEN: request.withHidden ? 'yes' : 'no',
    ARENA_WHOLE: request.kind === 'cache' ? 'yes' : 'no',
  })
  const said = executed.output.toString('utf8').trim()
  if (executed.exitCode !== 0) return { kind: 'failed', reason: said.split('\n').at(-1) ?? '' }
  const files = Number(said.split('\n').at(-1))
  if (files === 0) return { kind: 'empty' }
  const bytes = await readPlainFile(join(session.io.host, folder, 'archive.tar'), FILE_BYTES)
  await rm(join(session.io.host, folder), { recursive: true, force: true })
  if (!bytes) return { kind: 'failed', reason: `the archive is missing or has more than ${FILE_BYTES} bytes` }
  const store = join(world.options.workFolder, 'kept')
  await mkdir(store, { recursive: true })
  const file = join(store, world.options.newId())
  await writeFile(file, bytes)
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { kind: 'packed', files, kept: { kind: request.kind, name: request.name, digest, file } }
}

/** Puts an archive's files into a folder of the sandbox; a cache's to where they came from. Undefined, or why it failed. */
export async function unpackFile(
  world: StepWorld,
  session: Session,
  kept: KeptFile,
  folder: string,
): Promise<string | undefined> {
  const name = session.newName()
  await makeFolder(session.io, name)
  await copyFile(kept.file, join(session.io.host, name, 'archive.tar'))
  const executed = await inSandbox(world, session, UNPACK_SCRIPT, {
    ARENA_ARCHIVE: insideIo(`${name}/archive.tar`),
    ARENA_FOLDER: folder,
    ARENA_SCRATCH: insideIo(`${name}/files`),
    ARENA_WHOLE: kept.kind === 'cache' ? 'yes' : 'no',
  })
  await rm(join(session.io.host, name), { recursive: true, force: true })
  if (executed.exitCode === 0) return undefined
  return executed.output.toString('utf8').trim().split('\n').at(-1) ?? `exit code ${executed.exitCode}`
}

function inSandbox(
  world: StepWorld,
  session: Session,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<ExecResult> {
  return session.sandbox.exec({
    argv: ['/usr/bin/env', 'bash', '--noprofile', '--norc', '-euo', 'pipefail', '-c', script],
    env: { ...env, PATH: '/usr/local/bin:/usr/bin:/bin', HOME: HOME_INSIDE, LC_ALL: 'C.UTF-8' },
    cwd: repoInside(world.context.repoName),
    timeoutMs: TIMEOUT_MS,
    outputBytes: 16 * 1024,
    ...(world.signal ? { signal: world.signal } : {}),
  })
}
