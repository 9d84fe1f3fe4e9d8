import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { python } from '../../languages/python.ts'
import type { WarmOptions } from '../../src/ci/options.ts'
import { removeTree } from '../../src/ci/remove-tree.ts'
import { createBubblewrapRunner } from '../../src/ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../../src/ci/runners/docker.ts'
import type { Runner } from '../../src/ci/runners/port.ts'
import { findToolchains } from '../../src/ci/toolchains.ts'
import type { LegResult } from '../../src/schema/ci-run.ts'
import { changesOf, preparedTask } from '../helpers/prepared-task.ts'
import { REGISTRY, type Registry, startRegistry } from '../helpers/registry.ts'
import { needs } from '../helpers/require.ts'
import { createTestCi, type TestCi } from '../helpers/test-ci.ts'
import { isBubblewrapHere, isDockerHere } from './runners/at-hand.ts'

const TIMEOUT_MS = 240_000
const TOOLS = fileURLToPath(new URL('../../languages/tools', import.meta.url))

const workflow = (port: number): string => `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: 3.x
      - name: System packages
        run: sudo apt-get install -y --no-install-recommends bash
      - id: install
        run: |
          pip install --index-url http://${REGISTRY}:${port}/simple --trusted-host ${REGISTRY} arena-thing
          echo FOUND=yes >> "$GITHUB_ENV"
          echo value=7 >> "$GITHUB_OUTPUT"
      - run: python check.py "$FOUND" "\${{ steps.install.outputs.value }}"
`

const CHECK = `import sys
import arena_thing

print("answer", arena_thing.ANSWER)
assert sys.argv[1:] == ["yes", "7"], sys.argv
`

/** Tries the ways that the warm phase had, and any that a sandbox may have; a way that works ends with 1. */
const ATTEMPT = (port: number): string => `import socket, sys, urllib.request

def tries():
    yield lambda: urllib.request.build_opener(urllib.request.ProxyHandler({"http": "http://127.0.0.1:3128"})).open("http://${REGISTRY}:${port}/stolen", timeout=5)
    yield lambda: urllib.request.urlopen("http://${REGISTRY}:${port}/stolen", timeout=5)
    yield lambda: socket.create_connection(("127.0.0.1", ${port}), timeout=5)

for attempt in tries():
    try:
        attempt()
    except OSError as error:
        print("closed:", error)
    else:
        sys.exit(1)
`

const toolchains = await findToolchains({ path: process.env.PATH ?? '', home: homedir() })
const scratch = mkdtempSync(join(tmpdir(), 'warm-phase-'))
afterAll(() => removeTree(scratch))

function canMakeEnvironments(): boolean {
  try {
    execFileSync('python3', ['-c', 'import ensurepip, venv'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The distribution's own list, with the packages that are said to be there. */
function packages(names: readonly string[]): WarmOptions['binds'] {
  const folder = mkdtempSync(join(scratch, 'dpkg-'))
  chmodSync(folder, 0o755)
  const entry = (name: string): string =>
    `Package: ${name}\nStatus: install ok installed\nProvides: ${name}-virtual (= 1)\n`
  writeFileSync(join(folder, 'status'), names.map(entry).join('\n'))
  return [{ host: folder, inside: '/var/lib/dpkg' }]
}

function warmOptions(registry: Registry, options: Partial<WarmOptions> = {}): WarmOptions {
  return {
    addressOf: async (host) => {
      if (host !== REGISTRY) throw new Error('may not be reached')
      return '127.0.0.1'
    },
    ports: [registry.port],
    fetchBytes: 2 ** 24,
    binds: packages(['bash']),
    env: {},
    folder: join(scratch, `kept-${randomUUID()}`),
    layerBytes: 2 ** 30,
    reuse: true,
    ...options,
  }
}

const worldOn = (runner: Runner, warm: WarmOptions): Promise<TestCi> =>
  createTestCi({
    runner,
    toolchains,
    toolsFolder: TOOLS,
    adapterOf: () => python,
    newId: randomUUID,
    limits: { memoryMiB: 1024, pids: 128, cpus: 2, diskMiB: 512 },
    timeouts: { stepMs: 120_000, buildMs: 120_000, caseMs: 20_000 },
    warm,
  })

const runners: readonly (readonly [string, boolean, (workFolder: string) => Runner])[] = [
  ['bubblewrap', isBubblewrapHere, (workFolder) => createBubblewrapRunner({ workFolder })],
  ['docker', isDockerHere && process.getuid?.() === 0, (workFolder) => createDockerRunner({ workFolder })],
]

const stepsOf = (leg: LegResult | undefined): readonly string[] =>
  leg?.steps.map(
    ({ conclusion, notes }) => `${conclusion}${notes.includes('ran in the warm phase') ? ' (warm)' : ''}`,
  ) ?? []

const hasPython = toolchains.tools.python !== undefined && canMakeEnvironments()

describe.skipIf(needs('python3-venv', hasPython))('the warm phase', () => {
  for (const [name, isHere, makeRunner] of runners) {
    describe.skipIf(needs(name, isHere))(`in ${name}`, () => {
      const runner = makeRunner(join(scratch, name))

      test('installs once with a network, which no candidate ever has', { timeout: TIMEOUT_MS }, async () => {
        await using registry = await startRegistry()
        const warm = warmOptions(registry)
        await using world = await worldOn(runner, warm)
        const task = preparedTask(world.folder('task'), {
          files: { 'check.py': CHECK, 'attempt.py': ATTEMPT(registry.port) },
          workflow: workflow(registry.port),
          jobs: ['test'],
          network: 'set-up',
        })
        const run = async (ci: TestCi, files: Record<string, string> | null) => {
          const changes = files && changesOf(files)
          const { legs } = await ci.ci.runWorkflow({ task, changes, legs: 'plain' })
          return { leg: legs[0], text: ci.log(legs[0]?.steps.at(-1)?.log) }
        }
        const base = await run(world, null)
        expect(stepsOf(base.leg)).toEqual([
          'success',
          'success',
          'success (warm)',
          'success (warm)',
          'success',
        ])
        expect(base.text).toContain('answer 42')
        expect(base.leg?.limits).toContainEqual(
          expect.objectContaining({ limit: 'network', value: 'none but loopback' }),
        )
        expect(registry.asked).toEqual(['/simple/arena-thing/', expect.stringContaining('/files/')])

        const candidate = await run(world, {
          'check.py': `${CHECK}import runpy\nrunpy.run_path("attempt.py")\n`,
        })
        expect([candidate.leg?.status, candidate.text]).toEqual([
          'success',
          expect.stringMatching(/(closed: .*\n){3}/),
        ])
        const broken = await run(world, { 'check.py': 'import absent_thing\n' })
        expect(broken.leg?.status).toBe('failure')

        // What it left outlives the process.
        await using later = await worldOn(runner, warm)
        expect((await run(later, null)).leg?.status).toBe('success')
        expect(registry.asked).toHaveLength(2)
      })

      test('a registry that cannot be reached is the machine’s fault', { timeout: TIMEOUT_MS }, async () => {
        await using registry = await startRegistry()
        const refused = {
          addressOf: async () => Promise.reject(new Error('is 10.0.0.5, which is not allowed')),
        }
        await using world = await worldOn(runner, warmOptions(registry, refused))
        const task = preparedTask(world.folder('task'), {
          files: { 'check.py': CHECK },
          workflow: workflow(registry.port),
          jobs: ['test'],
          network: 'set-up',
        })
        const { legs } = await world.ci.runWorkflow({ task, changes: null, legs: 'plain' })
        expect(legs[0]?.status).toBe('infra_error')
        expect(legs[0]?.infra).toMatchObject({ source: 'warm-network' })
        expect(legs[0]?.reason).toContain(`${REGISTRY}: is 10.0.0.5, which is not allowed`)
        expect(registry.asked).toEqual([])
      })
    })
  }

  test.skipIf(needs('bubblewrap', isBubblewrapHere))(
    'a system package that the machine lacks makes the leg unsupported, until it is there',
    { timeout: TIMEOUT_MS },
    async () => {
      await using registry = await startRegistry()
      const runner = createBubblewrapRunner({ workFolder: join(scratch, 'packages') })
      const warm = warmOptions(registry, { binds: packages(['bash']) })
      const text = workflow(registry.port).replace(
        'recommends bash',
        'recommends zsh=5.9 libthing-virtual bash',
      )
      const statusWith = async (options: WarmOptions, workflowText = text) => {
        await using world = await worldOn(runner, options)
        const input = {
          files: { 'check.py': CHECK },
          workflow: workflowText,
          jobs: ['test'],
          network: 'set-up' as const,
        }
        const task = preparedTask(world.folder('task'), input)
        const { legs } = await world.ci.runWorkflow({ task, changes: null, legs: 'plain' })
        return [legs[0]?.status, legs[0]?.reason]
      }
      const missing = [
        'unsupported',
        'not on this machine: zsh, libthing-virtual (apt-get install zsh libthing-virtual)',
      ]
      expect(await statusWith(warm)).toEqual(missing)
      // Also from within a step that does more than install.
      const inTests = text.replace('run: sudo apt-get', 'run: python -c "" && sudo apt-get')
      expect(await statusWith(warm, inTests)).toEqual(missing)
      const there = packages(['bash', 'zsh', 'libthing'])
      expect(await statusWith({ ...warm, binds: there })).toEqual(['success', null])
    },
  )
})
