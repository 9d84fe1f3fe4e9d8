import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createBubblewrapRunner } from '../../../src/ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../../../src/ci/runners/docker.ts'
import { repoInside } from '../../../src/ci/runners/port.ts'
import { findToolchains } from '../../../src/ci/toolchains.ts'

// What an ordinary user gets, told as one line of JSON.
const [kind, folder = ''] = process.argv.slice(2)
const workFolder = join(folder, 'work')
const runner = kind === 'docker' ? createDockerRunner({ workFolder }) : createBubblewrapRunner({ workFolder })
const [io, tools] = [join(folder, 'io'), join(folder, 'tools')]
for (const path of [io, tools]) mkdirSync(path, { recursive: true })
const toolchains = await findToolchains({ path: '/usr/bin:/bin', home: '/nonexistent' })
const limits = { memoryMiB: 512, pids: 40, cpus: 1, diskMiB: 32 }
const open = (id: string, layers: readonly string[]) =>
  runner.open({ id, layers, repoName: 'demo', toolchains, tools, io, limits })
const told: Record<string, unknown> = { probe: await runner.probe() }

const first = await open('first', [])
const sh =
  (sandbox: typeof first) =>
  async (script: string, timeoutMs = 20_000): Promise<unknown> => {
    const { exitCode, signal, timedOut, output } = await sandbox.exec({
      argv: ['/bin/bash', '-c', script],
      env: { PATH: '/usr/bin:/bin', HOME: '/home/runner' },
      cwd: '/home/runner',
      timeoutMs,
      outputBytes: 4096,
    })
    return { exitCode, signal, timedOut, text: output.toString().trim() }
  }
const one = sh(first)
told.limits = first.limits
told.user = await one('id -u; id -un')
told.code = await one('exit 7')
told.escape = await one(
  'echo 1 > /proc/sys/kernel/core_pattern; unshare --user true; touch /usr/x /etc/x /x; echo end',
)
told.time = await one('setsid sleep 1000 & sleep 1000', 700)
told.left = await one('(setsid sleep 1000 &); true')
told.bomb = await one('b() { b | b & }; b; sleep 0.5; echo end', 5000)
told.alone = await one('ps -e --no-headers | grep -c sleep')
told.made = await one(
  'mkdir -p work/demo/demo/old; cd work/demo/demo; echo a > a; echo x > old/x; ln -s /etc link',
)
await first.snapshot(join(folder, 'layer'))
await first.close()

const second = await open('second', [join(folder, 'layer')])
await second.writeFiles([
  { change: 'write', path: 'b/c', mode: '100755', contentBase64: Buffer.from('echo c').toString('base64') },
  { change: 'write', path: 'link/x', mode: '100644', contentBase64: Buffer.from('plain').toString('base64') },
  { change: 'write', path: 'to a', mode: '120000', contentBase64: Buffer.from('a').toString('base64') },
  { change: 'delete', path: 'old/x' },
])
told.written = await sh(second)(
  `cd ${repoInside('demo')}; find . | sort; ./b/c; cat link/x 'to a'; rm a; echo out > /arena/io/out`,
)
await second.snapshot(join(folder, 'layer-2'))
await second.close()

const third = await open('third', [join(folder, 'layer-2'), join(folder, 'layer')])
told.stacked = await sh(third)(`cd ${repoInside('demo')}; find . | sort`)
await third.close()
console.log(JSON.stringify(told))
