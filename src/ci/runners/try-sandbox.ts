import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../errors.ts'
import { removeTree } from '../remove-tree.ts'
import type { Runner, RunnerProbe } from './port.ts'
import { SYSTEM_ONLY } from './system-only.ts'

/** Opens a small sandbox and runs one command in it: what cannot be done then has its reason. */
export async function trySandbox(
  runner: Runner,
  workFolder: string,
  id: string,
): Promise<Omit<RunnerProbe, 'remedy'> & { readonly remedy: null }> {
  await mkdir(workFolder, { recursive: true })
  const scratch = await mkdtemp(join(workFolder, 'probe-'))
  try {
    const [io, tools] = [join(scratch, 'io'), join(scratch, 'tools')]
    await mkdir(io)
    await mkdir(tools)
    const limits = { memoryMiB: 256, pids: 64, cpus: 1, diskMiB: 16 }
    const sandbox = await runner.open({
      id,
      layers: [],
      repoName: 'probe',
      toolchains: SYSTEM_ONLY,
      tools,
      io,
      limits,
    })
    try {
      const end = await sandbox.exec({
        argv: ['/usr/bin/true'],
        env: {},
        cwd: '/',
        timeoutMs: 20_000,
        outputBytes: 4096,
      })
      const ok = end.exitCode === 0
      const by = sandbox.limits.map(({ limit, by }) => `${limit} by ${by}`).join(', ')
      return { ok, detail: ok ? by : 'the trial step failed', remedy: null, limits: sandbox.limits }
    } finally {
      await sandbox.close()
    }
  } catch (error) {
    return { ok: false, detail: messageOf(error), remedy: null, limits: [] }
  } finally {
    await removeTree(scratch)
  }
}
