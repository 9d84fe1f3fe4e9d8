import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBubblewrapRunner } from '../../../src/ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../../../src/ci/runners/docker.ts'
import type { Runner } from '../../../src/ci/runners/port.ts'
import { needs } from '../../helpers/require.ts'
import { isBubblewrapHere, isDockerHere } from './at-hand.ts'
import { createBench, tracesOf } from './bench.ts'
import { type Bundle, bundle, startChild } from './bundled-child.ts'

let program: Bundle
beforeAll(async () => {
  program = await bundle(new URL('./open-and-wait.child.ts', import.meta.url))
})
afterAll(() => program[Symbol.dispose]())

function sleepers(): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')]
      } catch {
        return []
      }
    })
    .filter((line) => line.startsWith('sleep\u00001234567'))
}

function sweepContract(kind: string, makeRunner: (workFolder: string) => Runner): void {
  it('removes what a killed process left behind, and nothing of a living one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'arena-killed-'))
    const bench = createBench(makeRunner)
    const cleanUp = [() => bench.close()]
    try {
      const id = `killed-${randomUUID()}`
      const child = startChild([process.execPath, program.file, kind, folder, id])
      cleanUp.push(async () => {
        child.process.kill('SIGKILL')
        await child.ended
        await makeRunner(join(folder, 'work')).sweep()
      })
      expect(await child.firstLine).toBe('started')
      const runner = makeRunner(join(folder, 'work'))
      const own = await bench.open([], {}, `living-${randomUUID()}`)
      expect(await runner.sweep()).toBe(0)
      expect(sleepers().length).toBeGreaterThan(0)

      child.process.kill('SIGKILL')
      await child.ended
      expect(await runner.sweep()).toBe(1)
      expect(await runner.sweep()).toBe(0)
      expect(tracesOf({ ...bench, workFolder: join(folder, 'work') }, id)).toEqual([])
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(folder)
      expect(sleepers()).toEqual([])
      expect(await own.sh('true', { cwd: '/' })).toMatchObject({ exitCode: 0 })
    } finally {
      for (const step of cleanUp) await step()
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

describe.skipIf(needs('bubblewrap', isBubblewrapHere))('bubblewrap: sweep', () =>
  sweepContract('bubblewrap', (workFolder) => createBubblewrapRunner({ workFolder })),
)
describe.skipIf(needs('docker', isDockerHere))('docker: sweep', () =>
  sweepContract('docker', (workFolder) => createDockerRunner({ workFolder })),
)
