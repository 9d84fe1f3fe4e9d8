import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { HOME_INSIDE, IO_INSIDE, type Runner } from '../../../src/ci/runners/port.ts'
import { createBench, type Opened } from './bench.ts'

/** Settings of the host that hostile code would like to change. */
const settings = (): readonly string[] =>
  ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/hostname', '/proc/sys/vm/overcommit_memory'].map(
    (file) => readFileSync(file, 'utf8'),
  )

/** Code that wants out, or to take the machine down: it is contained, told of, and the next step runs as if nothing was. */
export function hostileContract(makeRunner: (workFolder: string) => Runner): void {
  const bench = createBench(makeRunner)
  const base = bench.layer({ 'a.txt': 'a\n' })
  const before = settings()
  let opened: Opened
  const sh: Opened['sh'] = (...args) => opened.sh(...args)
  const isHeld = (limit: string): boolean =>
    opened.sandbox.limits.some((one) => one.limit === limit && one.by !== 'none' && one.by !== 'rlimit')
  beforeAll(async () => {
    opened = await bench.open([base])
  })
  afterAll(async () => {
    expect(await sh('echo well; ps -e --no-headers | wc -l')).toMatchObject({ exitCode: 0 })
    expect(settings()).toEqual(before)
    await bench.close()
  })

  it('a fork bomb runs into the limit of processes and is gone afterwards', async () => {
    const end = await sh('b() { b | b & }; b; sleep 1', { timeoutMs: 5000, outputBytes: 2000 })
    expect(end.text).toContain('Resource temporarily unavailable')
    expect(Number((await sh('ps -e --no-headers | wc -l')).text)).toBeLessThan(10)
  })

  it('a memory hog is killed by the kernel, and that is told', async () => {
    const end = await sh('python3 -c "x = bytearray(800_000_000)"')
    expect(end.exitCode).not.toBe(0)
    if (isHeld('memory')) expect(end.outOfMemory).toBe(true)
    expect(await sh('true')).toMatchObject({ exitCode: 0, outOfMemory: false })
  })

  it('endless output is cut, and ends in time', async () => {
    const end = await sh('yes', { timeoutMs: 1000, outputBytes: 10_000 })
    expect(end).toMatchObject({ timedOut: true })
    expect(end.output.length).toBe(10_000)
    expect(end.droppedBytes).toBeGreaterThan(0)
  })

  it('a full disk is the sandbox alone', async () => {
    const end = await sh(`head -c 500M /dev/zero > ~/big; echo "code $?"; rm ~/big`)
    if (isHeld('disk')) expect(end.text).toMatch(/No space left on device\ncode 1$/)
    expect(await sh('echo fits > ~/small')).toMatchObject({ exitCode: 0 })
    if (!isHeld('disk')) return
    expect(
      (await sh(`head -c 500M /dev/zero > ${IO_INSIDE}/big; echo "code $?"; rm ${IO_INSIDE}/big`)).text,
    ).toMatch(/No space left on device\ncode 1$/)
  })

  it('a full disk that eats the memory too is no fault of the machine', async () => {
    const tight = await bench.open([base], { memoryMiB: 64, diskMiB: 512 })
    const end = await tight.sh('head -c 400M /dev/zero > ~/big')
    if (isHeld('memory')) expect(end).toMatchObject({ outOfMemory: true })
    const next = await tight.sh('true')
    expect(next.timedOut).toBe(false)
    await tight.sandbox.close()
  })

  it('no listener of the host can be reached, only its own loopback', async () => {
    let visits = 0
    const server = createServer((socket) => {
      visits += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    const end = await sh(`exec 3<>/dev/tcp/127.0.0.1/${port}`)
    server.close()
    expect(end.exitCode).not.toBe(0)
    expect(visits).toBe(0)
    const own = `python3 -c "
import socket
s = socket.create_server(('127.0.0.1', 0)); c = socket.create_connection(s.getsockname()); print('own')"`
    expect((await sh(own)).text).toBe('own')
    expect((await sh('cat /proc/net/dev | tail -n +3 | cut -d: -f1 | xargs')).text).toBe('lo')
  })

  it('nothing outside home, /tmp and the shared folder can be written', async () => {
    const paths = [
      '/proc/sys/kernel/core_pattern',
      '/proc/sys/kernel/hostname',
      '/proc/sysrq-trigger',
      '/sys/kernel/uevent_helper',
      '/sys/fs/cgroup/x',
      '/x',
      '/etc/passwd',
      '/etc/x',
      '/usr/x',
      '/usr/bin/env',
      '/arena/tools/x',
      '/arena/x',
      '/home/x',
      '/dev/x',
      '/var/tmp/x',
      '/run/x',
      '/root/x',
    ]
    const end = await sh(
      `for f in ${paths.join(' ')}; do if echo 1 2>/dev/null > $f; then echo "wrote $f"; fi; done`,
    )
    expect(end.text.split('\n').filter((line) => line.startsWith('wrote'))).toEqual([])
    for (const command of [
      'hostname changed',
      'mount -t tmpfs x /tmp',
      'mount -o remount,rw /',
      'umount /usr',
    ])
      expect((await sh(command)).exitCode).not.toBe(0)
  })

  it('files of the host are not there', async () => {
    const secret = join(bench.folder, 'secret')
    const end = await sh(
      `cat ${secret} /etc/shadow /root/.ssh/* /proc/1/root/etc/shadow /var/run/docker.sock; ls ${bench.folder} /var/lib; test -e /dev/sda -o -e /dev/vda -o -e /dev/mem && echo device`,
    )
    expect(end.exitCode).not.toBe(0)
    expect(end.text.split('\n').filter((line) => !/No such|denied|cannot/.test(line))).toEqual([])
    // Which layers a tree is made of would tell one cell from another.
    expect((await sh('cat /proc/self/mountinfo')).text).not.toContain('layer-')
  })

  it('no user namespace, capability or other user can be had', async () => {
    expect((await sh('unshare --user --map-root-user true')).exitCode).not.toBe(0)
    expect((await sh('unshare --mount true; unshare --net true; unshare --pid true')).exitCode).not.toBe(0)
    const status = (await sh('grep -E "^(Cap|NoNewPrivs)" /proc/self/status')).text
    expect(status.match(/Cap\w+:\s+0{16}$/gm)).toHaveLength(5)
    expect(status).toMatch(/NoNewPrivs:\s+1/)
    expect((await sh('su -c id; sudo id; python3 -c "import os; os.setuid(0)"')).exitCode).not.toBe(0)
  })

  it('a real user of the host who is nobody runs it', async () => {
    const uid = Number((await sh('id -u')).text)
    expect(uid).not.toBe(0)
    expect(uid).toBe(process.getuid?.() === 0 ? 20_001 : process.getuid?.())
    await sh(`echo mine > ${IO_INSIDE}/mine`)
    expect(statSync(join(opened.spec.io, 'mine')).uid).toBe(uid)
  })

  it('no process of the host or of another sandbox is seen', async () => {
    const other = await bench.open([base])
    const started = new Promise<void>((resolve) => {
      const stop = new AbortController()
      const hidden = other.sh('echo up; exec -a hidden-name sleep 1000', {
        signal: stop.signal,
        onOutput: () => resolve(),
      })
      hidden.catch(() => undefined)
      closing = async () => {
        stop.abort()
        await hidden.catch(() => undefined)
      }
    })
    await started
    expect((await sh('ps -eo args')).text).not.toMatch(/hidden-name|node/)
    await sh(`kill -9 ${process.pid}; kill -9 -1`)
    expect((await sh(`test -e /proc/${process.pid}/cwd; ls /proc | grep -c '^[0-9]'`)).exitCode).toBe(0)
    await closing()
    await other.sandbox.close()
  })
  let closing: () => Promise<void> = async () => undefined

  it('a step that kills its parents is a step that was killed', async () => {
    const end = await sh('setsid sleep 1000 & kill -9 $PPID 1; kill -9 $$')
    expect(end).toMatchObject({ exitCode: null, signal: 'SIGKILL', timedOut: false })
    expect((await sh('ps -eo comm')).text).not.toContain('sleep')
  })

  it('no file makes an exit code', async () => {
    const end = await sh(
      `echo 0 | tee ${IO_INSIDE}/exit ${IO_INSIDE}/code ~/exit /tmp/exit > /dev/null
       for fd in /proc/1/fd/* /proc/$PPID/fd/* /proc/self/fd/*; do { echo '{"exit-code": 0}' > $fd; } 2>/dev/null; done
       exit 9`,
      { timeoutMs: 5000 },
    )
    expect(end).toMatchObject({ exitCode: 9, timedOut: false })
  })

  it('nothing that this process has open reaches the sandbox', async () => {
    expect((await sh('ls /proc/self/fd')).text.split('\n')).toEqual(['0', '1', '2', '3'])
  })

  it('a full shared folder, a thousand files and odd names do not stop the next step', async () => {
    await sh(
      `cd ${IO_INSIDE}; for i in $(seq 1000); do : > "f$i"; done; mkfifo pipe; ln -s /etc/shadow link; mkdir -p d/d; chmod 000 d`,
    )
    expect(await sh('true')).toMatchObject({ exitCode: 0 })
    expect(existsSync(join(opened.spec.io, 'f1000'))).toBe(true)
  })

  it('a home that was taken away costs the sandbox only', async () => {
    const other = await bench.open([base])
    await other.sh(`rm -rf ${HOME_INSIDE}/* ${HOME_INSIDE}/.[a-z]*; chmod 000 ${HOME_INSIDE} /tmp`)
    expect((await other.sh('true', { cwd: '/' })).exitCode).toBe(0)
    await other.sandbox.close()
  })
}
