import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../../helpers/require.ts'
import { isBubblewrapHere, isDockerHere } from './at-hand.ts'
import { type Bundle, bundle, startChild } from './bundled-child.ts'

// An ordinary user's own run of the other suites covers this; root becomes somebody else for it.
const isRoot = process.getuid?.() === 0
const UID = 20_777

let program: Bundle
beforeAll(async () => {
  program = await bundle(new URL('./ordinary-user.child.ts', import.meta.url))
  chmodSync(join(program.file, '..'), 0o755)
})
afterAll(() => program[Symbol.dispose]())

async function tellFrom(kind: string, groups: readonly number[]): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'arena-user-'))
  try {
    chownSync(folder, UID, UID)
    const become = ['setpriv', `--reuid=${UID}`, `--regid=${UID}`]
    const group = groups.length > 0 ? [`--groups=${groups.join(',')}`] : ['--clear-groups']
    const child = startChild([...become, ...group, '--', process.execPath, program.file, kind, folder])
    const told = JSON.parse(await child.firstLine) as Record<string, unknown>
    await child.ended
    expect(readdirSync(join(folder, 'work')).filter((name) => name.startsWith('arena-'))).toEqual([])
    return told
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const COMMON = {
  user: { exitCode: 0, text: `${UID}\nrunner` },
  code: { exitCode: 7 },
  time: { timedOut: true, signal: 'SIGKILL' },
  alone: { text: '0' },
  written: {
    exitCode: 0,
    text: ['.', './a', './b', './b/c', './link', './link/x', './to a', 'c', 'plaina'].join('\n'),
  },
  stacked: { text: ['.', './b', './b/c', './link', './link/x', './to a'].join('\n') },
}

describe.skipIf(needs('root, to become an ordinary user', isRoot))('an ordinary user', () => {
  it.skipIf(needs('bubblewrap', isBubblewrapHere))(
    'gets a sandbox by bubblewrap that says what it cannot hold',
    async () => {
      const told = await tellFrom('bubblewrap', [])
      expect(told).toMatchObject({ ...COMMON, probe: { ok: true } })
      expect(JSON.stringify(told.escape)).toMatch(/core_pattern.*denied|core_pattern.*ermitted/)
      expect(JSON.stringify(told.escape)).not.toContain('"text":"end"')
      expect(told.limits).toContainEqual({ limit: 'memory', value: '512 MiB a process', by: 'none' })
      expect(told.limits).toContainEqual({ limit: 'pids', value: '40', by: 'rlimit' })
      expect(told.limits).toContainEqual({ limit: 'cpus', value: '1', by: 'none' })
    },
  )

  it.skipIf(needs('docker', isDockerHere))('gets containers where it may speak to the daemon', async () => {
    const told = await tellFrom('docker', [statSync('/var/run/docker.sock').gid])
    expect(told).toMatchObject({ ...COMMON, probe: { ok: true } })
    expect(told.limits).toContainEqual({ limit: 'memory', value: '512 MiB', by: 'docker' })
    expect(told.limits).toContainEqual({ limit: 'disk', value: '32 MiB', by: 'none' })
  })
})
