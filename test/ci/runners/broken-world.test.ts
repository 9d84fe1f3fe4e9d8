import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, describe, expect, it } from 'vitest'
import { createBubblewrapRunner } from '../../../src/ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../../../src/ci/runners/docker.ts'
import { InputError, RunnerUnavailableError } from '../../../src/errors.ts'
import { needs } from '../../helpers/require.ts'
import { isBubblewrapHere, isDockerHere } from './at-hand.ts'
import { createBench } from './bench.ts'

/** The process of ours that holds a sandbox's mounts. */
function holderOf(id: string): number {
  const mine = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  const line = mine.split('\n').find((text) => text.includes(' holder ') && text.includes(id))
  return Number(line?.trim().split(' ')[0])
}

describe.skipIf(needs('bubblewrap', isBubblewrapHere))(
  'a bubblewrap sandbox that is ended from outside',
  () => {
    const bench = createBench((workFolder) => createBubblewrapRunner({ workFolder }))
    afterAll(() => bench.close())

    it('is a broken world, not a failed step, and still closes', async () => {
      const { sh, sandbox } = await bench.open([], {}, 'broken-1')
      expect(await sh('true', { cwd: '/' })).toMatchObject({ exitCode: 0 })
      process.kill(holderOf('broken-1'), 'SIGKILL')
      await expect
        .poll(() =>
          sh('true', { cwd: '/' }).then(
            () => 'ran',
            (error: unknown) => error,
          ),
        )
        .toBeInstanceOf(RunnerUnavailableError)
      await sandbox.close()
      expect(readdirSync(bench.workFolder).filter((name) => name.startsWith('arena-'))).toEqual([])
    })

    it('cannot be opened over a layer that is not there, and leaves nothing', async () => {
      await expect(bench.open([join(bench.folder, 'no-layer')], {}, 'broken-2')).rejects.toThrow(
        RunnerUnavailableError,
      )
      expect(readdirSync(bench.workFolder).filter((name) => name.startsWith('arena-'))).toEqual([])
      expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(bench.folder)
    })

    it('cannot be opened twice under one id', async () => {
      const { sandbox } = await bench.open([], {}, 'twice')
      await expect(bench.open([], {}, 'twice')).rejects.toThrow(InputError)
      await sandbox.close()
    })
  },
)

describe.skipIf(needs('docker', isDockerHere))('a container that is ended from outside', () => {
  const bench = createBench((workFolder) => createDockerRunner({ workFolder }))
  afterAll(() => bench.close())
  const containerOf = async (id: string): Promise<Docker.Container> => {
    const docker = new Docker()
    const all = await docker.listContainers({ all: true })
    return docker.getContainer(all.find(({ Names }) => Names.some((name) => name.endsWith(id)))?.Id ?? '')
  }

  it('is a broken world, in the middle of a step and before one', async () => {
    const { sh, sandbox } = await bench.open([], {}, 'broken-3')
    const container = await containerOf('broken-3')
    const killed: Promise<unknown>[] = []
    const running = sh('echo up; sleep 1000', { cwd: '/', onOutput: () => killed.push(container.kill()) })
    await expect(running).rejects.toThrow(RunnerUnavailableError)
    await Promise.all(killed)
    await expect(sh('true', { cwd: '/' })).rejects.toThrow(RunnerUnavailableError)
    await sandbox.close()
  })

  it('may be gone altogether: closing it is no error', async () => {
    const { sandbox } = await bench.open([], {}, 'broken-4')
    await (await containerOf('broken-4')).remove({ force: true })
    await sandbox.close()
    expect(readFileSync('/proc/self/mountinfo', 'utf8')).not.toContain(bench.folder)
  })
})

describe('a daemon that does not answer', () => {
  const bench = createBench((workFolder) =>
    createDockerRunner({ workFolder, socketPath: '/nonexistent/docker.sock' }),
  )
  afterAll(() => bench.close())

  it('is told with its remedy, and nothing can be opened', async () => {
    const probe = await bench.runner.probe()
    expect(probe).toMatchObject({ ok: false, limits: [] })
    expect(probe.remedy).toContain('docker.io')
    await expect(bench.open([])).rejects.toThrow(RunnerUnavailableError)
    await expect(bench.runner.sweep()).rejects.toThrow(RunnerUnavailableError)
  })
})

describe.skipIf(needs('bubblewrap', isBubblewrapHere))('the shared folder', () => {
  const bench = createBench((workFolder) => createBubblewrapRunner({ workFolder }))
  afterAll(() => bench.close())

  it('keeps what the caller has put there before', async () => {
    const { sh, sandbox, spec } = await bench.open([], {}, 'io-1')
    await sandbox.close()
    writeFileSync(join(spec.io, 'early'), 'early\n')
    const again = await bench.open([], {}, 'io-1')
    expect((await again.sh('cat /arena/io/early', { cwd: '/' })).text).toBe('early')
    await again.sandbox.close()
    await expect(sh('true')).rejects.toThrow('closed')
  })
})
