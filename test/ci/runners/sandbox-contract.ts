import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { IO_INSIDE, type Runner } from '../../../src/ci/runners/port.ts'
import { InputError } from '../../../src/errors.ts'
import type { FileChange } from '../../../src/schema/tree.ts'
import { createBench, REPO, tracesOf } from './bench.ts'

const write = (path: string, text: string, mode: '100644' | '100755' | '120000' = '100644'): FileChange => ({
  change: 'write',
  path,
  mode,
  contentBase64: Buffer.from(text).toString('base64'),
})

/** What every runner promises (see src/ci/runners/port.ts). */
export function sandboxContract(makeRunner: (workFolder: string) => Runner): void {
  const bench = createBench(makeRunner)
  const base = bench.layer({ 'a.txt': 'a\n', 'lib/b.txt': 'b\n', 'old/gone.txt': 'x\n' })
  afterAll(() => bench.close())

  it('says that it works, and what holds each limit', async () => {
    const probe = await bench.runner.probe()
    expect(probe).toMatchObject({ ok: true, remedy: null })
    expect(probe.limits.map(({ limit }) => limit)).toEqual([
      'memory',
      'pids',
      'cpus',
      'disk',
      'network',
      'time',
      'output',
    ])
  })

  it('runs commands in a folder, with exactly the environment asked for', async () => {
    const { sandbox } = await bench.open([base])
    const end = await sandbox.exec({
      argv: ['/usr/bin/env'],
      env: { PATH: '/usr/bin', TWO: 'lines\nand = signs' },
      cwd: `${REPO}/lib`,
      timeoutMs: 20_000,
      outputBytes: 4096,
    })
    const names = end.output.toString().match(/^\w+(?==)/gm)
    expect(end).toMatchObject({
      exitCode: 0,
      signal: null,
      timedOut: false,
      outOfMemory: false,
      droppedBytes: 0,
    })
    expect(new Set(names)).toEqual(new Set(['PATH', 'TWO', 'PWD', 'OLDPWD']))
    expect(end.output.toString()).toContain(`PWD=${REPO}/lib`)
    expect(end.output.toString()).toContain('TWO=lines\nand = signs')
    await sandbox.close()
  })

  it('gives exit codes and signals as the kernel has them', async () => {
    const { sh, sandbox } = await bench.open([base])
    expect(await sh('exit 0')).toMatchObject({ exitCode: 0, signal: null })
    expect(await sh('exit 7')).toMatchObject({ exitCode: 7, signal: null })
    expect(await sh('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV' })
    expect(await sh('exec /nowhere')).toMatchObject({ exitCode: 127 })
    expect(await sh('true', { cwd: '/nowhere' })).toMatchObject({ exitCode: 126 })
    expect(await sh('true', { env: { BAD: 'a\0b' } })).toMatchObject({ exitCode: 126 })
    expect(await sh('true', { env: { LONG: 'x'.repeat(200_000) } })).toMatchObject({ exitCode: 126 })
    expect(await sh('true')).toMatchObject({ exitCode: 0 })
    await sandbox.close()
  })

  it('mixes output and errors in order, and lets programs open them again', async () => {
    const { sh, sandbox } = await bench.open([base])
    expect((await sh('echo 1; echo 2 >&2; echo 3')).text).toBe('1\n2\n3')
    expect((await sh('echo again > /dev/stderr; echo more | tee /dev/stderr >/dev/null')).text).toBe(
      'again\nmore',
    )
    const chunks: Buffer[] = []
    await sh('echo live', { onOutput: (chunk) => chunks.push(chunk) })
    expect(Buffer.concat(chunks).toString()).toBe('live\n')
    await sandbox.close()
  })

  it('keeps the first quarter and the last three quarters of a long output', async () => {
    const { sh, sandbox } = await bench.open([base])
    const end = await sh('seq 1 20000', { outputBytes: 4000 })
    const whole = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')
    expect(end.output.toString()).toBe(whole.slice(0, 1000) + whole.slice(-3000))
    expect(end.droppedBytes).toBe(whole.length - 4000)
    await sandbox.close()
  })

  it('ends a step at its time, with all that it has started', async () => {
    const { sh, sandbox } = await bench.open([base])
    const end = await sh('echo begun; setsid sleep 1000 & (sleep 1000 &) ; sleep 1000', { timeoutMs: 700 })
    expect(end).toMatchObject({ timedOut: true, exitCode: null, signal: 'SIGKILL', text: 'begun' })
    expect((await sh('ps -eo comm')).text).not.toContain('sleep')
    await sandbox.close()
  })

  it('ends a step when it is told to stop', async () => {
    const { sh, sandbox } = await bench.open([base])
    const stop = new AbortController()
    const running = sh('echo begun; sleep 1000', {
      signal: stop.signal,
      onOutput: () => stop.abort(new Error('enough')),
    })
    await expect(running).rejects.toThrow('enough')
    expect(await sh('true')).toMatchObject({ exitCode: 0 })
    await sandbox.close()
  })

  it('leaves nothing running after a step, however it hides', async () => {
    const { sh, sandbox } = await bench.open([base])
    const end = await sh(
      '(setsid nohup bash -c "trap : TERM HUP INT; while :; do sleep 1; done" &) ; echo done',
    )
    expect(end).toMatchObject({ exitCode: 0, text: 'done' })
    expect((await sh('ps -eo comm')).text).not.toMatch(/sleep|nohup/)
    await sandbox.close()
  })

  it('keeps home, /tmp and the tree between steps, and offers git and the shared folder', async () => {
    const { sh, sandbox, spec } = await bench.open([base])
    await sh(`echo kept > ~/mine; echo kept > /tmp/mine; echo new >> a.txt; echo out > ${IO_INSIDE}/report`)
    expect((await sh('cat ~/mine /tmp/mine; git status --short; git log --oneline | wc -l')).text).toBe(
      'kept\nkept\n M a.txt\n1',
    )
    expect(readFileSync(join(spec.io, 'report'), 'utf8')).toBe('out\n')
    writeFileSync(join(spec.io, 'script'), 'echo from the host\n')
    expect((await sh(`bash ${IO_INSIDE}/script`)).text).toBe('from the host')
    await sandbox.close()
  })

  it('never changes a layer', async () => {
    const layer = bench.layer({ 'a.txt': 'a\n' })
    const { sh, sandbox } = await bench.open([layer])
    await sh('rm a.txt; echo x > b.txt; rm -rf .git')
    await sandbox.close()
    const again = await bench.open([layer])
    expect((await again.sh('ls -A')).text).toBe('.git\na.txt')
    await again.sandbox.close()
  })

  it('stacks snapshots, deletions and replaced folders included', async () => {
    const first = await bench.open([base])
    await first.sh('rm a.txt; rm -rf old; mkdir old; echo new > old/new.txt; mv lib moved; echo h > ~/h')
    const upper = join(bench.folder, 'snapshot')
    await first.sandbox.snapshot(upper)
    await first.sandbox.close()
    const second = await bench.open([upper, base])
    expect((await second.sh('find . -path ./.git -prune -o -type f -print | sort; cat ~/h')).text).toBe(
      './moved/b.txt\n./old/new.txt\nh',
    )
    await second.sh('rm old/new.txt; echo third > c.txt')
    const top = join(bench.folder, 'snapshot-2')
    await second.sandbox.snapshot(top)
    await second.sandbox.close()
    const third = await bench.open([top, upper, base])
    expect((await third.sh('find . -path ./.git -prune -o -type f -print | sort')).text).toBe(
      './c.txt\n./moved/b.txt',
    )
    await third.sandbox.close()
  })

  it('writes and deletes files as the sandbox user, through no link', async () => {
    const { sh, sandbox } = await bench.open([base])
    await sh('mkdir ~/elsewhere; rm -rf lib; ln -s ~/elsewhere lib; ln -s /etc/passwd p; ln -s ~/elsewhere d')
    await sandbox.writeFiles([
      write('lib/new.txt', 'n'),
      write('p', 'plain'),
      write('deep/er/run.sh', '#!/bin/sh\necho ran\n', '100755'),
      write('link', 'a.txt', '120000'),
      { change: 'delete', path: 'old/gone.txt' },
      { change: 'delete', path: 'd/nothing' },
      { change: 'delete', path: 'never/was' },
    ])
    const seen = await sh(
      'cat lib/new.txt p; ./deep/er/run.sh; cat link; ls ~/elsewhere; ls -d old d; stat -c %u:%a p',
    )
    expect(seen.text).toMatch(/^nplainran\na\nls: cannot access 'old'.*\nd\n\d+:644$/)
    const owner = (await sh('id -u; stat -c %u p deep deep/er link')).text.split('\n')
    expect(new Set(owner).size).toBe(1)
    await sandbox.close()
  })

  it('survives a repository folder that became a link', async () => {
    const { sh, sandbox } = await bench.open([base])
    await sh('cd ..; mv demo away; ln -s /etc demo')
    await sandbox.writeFiles([write('new.txt', 'n')])
    expect((await sh('cat new.txt; ls /etc/new.txt; ls ../away', { cwd: REPO })).text).toMatch(/^nls: cannot/)
    await sandbox.close()
  })

  it('looks the same in every sandbox', async () => {
    const look = 'id; hostname; umask; pwd; env | sort; ls -d ~ /tmp /arena/*; date -r .git/HEAD +%s'
    const one = await bench.open([base])
    const other = await bench.open([base])
    expect((await one.sh(look)).text).toBe((await other.sh(look)).text)
    await one.sandbox.close()
    await other.sandbox.close()
  })

  it('runs four sandboxes at once, each on its own', async () => {
    const four = await Promise.all([1, 2, 3, 4].map(() => bench.open([base])))
    const texts = await Promise.all(
      four.map(({ sh }, index) =>
        sh(`echo ${index} > a.txt; sleep 0.2; cat a.txt; ps -eo comm | grep -c sleep`),
      ),
    )
    expect(texts.map(({ text }) => text)).toEqual(['0\n0', '1\n0', '2\n0', '3\n0'])
    await Promise.all(four.map(({ sandbox }) => sandbox.close()))
  })

  it('counts CPU time and memory', async () => {
    const { sh, sandbox } = await bench.open([base])
    const before = await sandbox.usage()
    await sh('python3 -c "x = bytearray(50_000_000); s = sum(range(1_000_000))"')
    const after = await sandbox.usage()
    if (after.cpuMs !== null) expect(after.cpuMs).toBeGreaterThan(before.cpuMs ?? 0)
    if (after.peakMemoryMiB !== null) expect(after.peakMemoryMiB).toBeGreaterThan(40)
    await sandbox.close()
  })

  it('leaves nothing on the machine when it closes, and refuses to go on', async () => {
    const { sh, sandbox, spec } = await bench.open([base], {}, 'closing-1')
    await sh('mkdir closed; chmod 000 closed; (setsid sleep 1000 &)')
    expect(tracesOf(bench, 'closing-1').length).toBeGreaterThan(0)
    await sandbox.close()
    await sandbox.close()
    expect(tracesOf(bench, 'closing-1')).toEqual([])
    expect(readdirSync(spec.io)).toEqual(expect.any(Array))
    await expect(sh('true')).rejects.toThrow(InputError)
  })

  it('refuses an id that cannot be part of a name', async () => {
    await expect(bench.open([base], {}, '../x')).rejects.toThrow(InputError)
  })
}
