import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type ExecRequest,
  type ExecResult,
  HOME_INSIDE,
  IO_INSIDE,
  type Runner,
  repoInLayer,
  type Sandbox,
  type SandboxSpec,
  TOOLS_INSIDE,
} from '../../src/ci/runners/port.ts'
import type { FileChange } from '../../src/schema/tree.ts'

export interface FakeRunner extends Runner {
  readonly opened: SandboxSpec[]
  /** Sandboxes open now, and the most that were open together. */
  readonly load: { now: number; most: number }
  /** Thrown by the next calls of open, first in first out. */
  readonly failures: Error[]
}

const WHOLE = '.whole-layer'

/** Runs commands directly on this machine in a temporary folder, with the sandbox's paths mapped: no isolation at all. */
export function createFakeRunner(): FakeRunner {
  const opened: SandboxSpec[] = []
  const load = { now: 0, most: 0 }
  const failures: Error[] = []
  return {
    name: 'fake',
    opened,
    load,
    failures,
    probe: async () => ({ ok: true, detail: 'fake', remedy: null, limits: [] }),
    sweep: async () => 0,
    async open(spec) {
      const failure = failures.shift()
      if (failure) throw failure
      opened.push(spec)
      load.now += 1
      load.most = Math.max(load.most, load.now)
      const root = await mkdtemp(join(tmpdir(), 'fake-sandbox-'))
      await unpack(spec, root)
      return sandboxIn(root, spec, () => {
        load.now -= 1
      })
    },
  }
}

async function unpack(spec: SandboxSpec, root: string): Promise<void> {
  const whole: string[] = []
  for (const layer of spec.layers) {
    whole.unshift(layer)
    if ((await readdir(layer)).includes(WHOLE)) break
  }
  await mkdir(join(root, 'home'), { recursive: true })
  for (const layer of whole) await cp(layer, root, { recursive: true, verbatimSymlinks: true, force: true })
}

function sandboxIn(root: string, spec: SandboxSpec, onClose: () => void): Sandbox {
  const map = (text: string): string =>
    text
      .replaceAll(HOME_INSIDE, join(root, 'home'))
      .replaceAll(IO_INSIDE, spec.io)
      .replaceAll(TOOLS_INSIDE, spec.tools)
  return {
    limits: [{ limit: 'time', value: 'asked', by: 'runner' }],
    exec: (request) => execute(request, map),
    async writeFiles(changes) {
      for (const change of changes) await writeChange(join(root, repoInLayer(spec.repoName)), change)
    },
    async snapshot(folder) {
      await cp(root, folder, { recursive: true, verbatimSymlinks: true })
      await writeFile(join(folder, WHOLE), '')
    },
    usage: async () => ({ cpuMs: 10, peakMemoryMiB: 5 }),
    async close() {
      onClose()
      await rm(root, { recursive: true, force: true })
    },
  }
}

async function writeChange(repo: string, change: FileChange): Promise<void> {
  const path = join(repo, change.path)
  await rm(path, { recursive: true, force: true })
  if (change.change === 'delete') return
  await mkdir(dirname(path), { recursive: true })
  const bytes = Buffer.from(change.contentBase64, 'base64')
  if (change.mode === '120000') await symlink(bytes.toString('utf8'), path)
  else await writeFile(path, bytes, { mode: change.mode === '100755' ? 0o755 : 0o644 })
}

function execute(request: ExecRequest, map: (text: string) => string): Promise<ExecResult> {
  const [command = '', ...args] = request.argv.map(map)
  const env = Object.fromEntries(Object.entries(request.env).map(([name, value]) => [name, map(value)]))
  return new Promise((resolve, reject) => {
    // A group of its own, so that everything that a step starts can be ended with it.
    const child = spawn(command, args, {
      cwd: map(request.cwd),
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const chunks: Buffer[] = []
    let timedOut = false
    const endGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The group has ended by itself.
      }
    }
    const timer = setTimeout(() => {
      timedOut = true
      endGroup()
    }, request.timeoutMs)
    request.signal?.addEventListener('abort', endGroup, { once: true })
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    child.on('exit', endGroup)
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer)
      const output = Buffer.concat(chunks)
      resolve({ exitCode, signal, output, droppedBytes: 0, timedOut, outOfMemory: false, durationMs: 1 })
    })
  })
}
