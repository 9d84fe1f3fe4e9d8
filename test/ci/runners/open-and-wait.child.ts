import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBubblewrapRunner } from '../../../src/ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../../../src/ci/runners/docker.ts'
import { findToolchains } from '../../../src/ci/toolchains.ts'

// Opens a sandbox, starts a step that never ends, says so, and waits to be killed.
const [kind, folder = '', id = ''] = process.argv.slice(2)
const workFolder = join(folder, 'work')
const runner = kind === 'docker' ? createDockerRunner({ workFolder }) : createBubblewrapRunner({ workFolder })
const [io, tools] = [join(folder, 'io'), join(folder, 'tools')]
for (const path of [io, tools]) mkdirSync(path, { recursive: true })
const sandbox = await runner.open({
  id,
  layers: [],
  repoName: 'demo',
  toolchains: await findToolchains({ path: '/usr/bin:/bin', home: '/nonexistent' }),
  tools,
  io,
  limits: { memoryMiB: 128, pids: 32, cpus: 1, diskMiB: 16 },
})
await sandbox.exec({
  argv: ['/bin/sh', '-c', `setsid sleep 1234567 & echo started; exec sleep 1234567`],
  env: { PATH: '/usr/bin:/bin' },
  cwd: '/tmp',
  timeoutMs: 600_000,
  outputBytes: 4096,
  onOutput: () => console.log('started'),
})
