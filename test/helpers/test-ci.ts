import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCi } from '../../src/ci/ci.ts'
import type { CiOptions } from '../../src/ci/options.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { createFakeRunner, type FakeRunner } from './fake-runner.ts'
import { lineLanguage } from './line-language.ts'

export interface TestCi {
  readonly ci: ReturnType<typeof createCi>
  readonly runner: FakeRunner
  /** A new folder below the test's own. */
  readonly folder: (name: string) => string
  readonly workFolder: string
  readonly log: (digest: string | null | undefined) => string
  [Symbol.asyncDispose](): Promise<void>
}

/** A CI over the fake runner and the line language, in a temporary folder that goes with it. */
export async function createTestCi(options: Partial<CiOptions> = {}): Promise<TestCi> {
  const root = await mkdtemp(join(tmpdir(), 'ci-test-'))
  const runner = createFakeRunner()
  const blobs = new Map<string, string>()
  let count = 0
  const workFolder = join(root, 'work')
  const ci = createCi({
    runner,
    toolchains: {
      binds: [],
      path: [],
      env: {},
      tools: {
        python: { version: '3.11.2', path: '/usr/bin/python3' },
        go: { version: '1.22.5', path: '/usr/bin/go' },
      },
      digest: 'none',
    },
    toolsFolder: root,
    workFolder,
    limits: { memoryMiB: 512, pids: 64, cpus: 1, diskMiB: 512 },
    timeouts: { stepMs: 20_000, buildMs: 20_000, caseMs: 5_000 },
    outputBytes: 1024 * 1024,
    secret: 'secret of a test',
    parallel: 2,
    layerBytes: 1024 ** 3,
    adapterOf: () => lineLanguage,
    putBlob: async (bytes) => {
      const digest = digestOf(bytes)
      blobs.set(digest, Buffer.from(bytes).toString('utf8'))
      return digest
    },
    newId: () => {
      count += 1
      return `id-${count}`
    },
    ...options,
  })
  return {
    ci,
    runner,
    folder: (name) => join(root, name),
    workFolder,
    log: (digest) => blobs.get(digest ?? '') ?? '',
    async [Symbol.asyncDispose]() {
      await ci.close()
      await rm(root, { recursive: true, force: true })
    },
  }
}
