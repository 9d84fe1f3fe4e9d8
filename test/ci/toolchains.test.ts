import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findToolchains } from '../../src/ci/toolchains.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder for PATH with scripts in place of tools. */
function fakeBin(scripts: Readonly<Record<string, string>>, parent = newFolder()): string {
  mkdirSync(parent, { recursive: true })
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(parent, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(parent, name), 0o755)
  }
  return parent
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'arena-tools-'))
  folders.push(folder)
  return folder
}

const python = (prefix: string, version: string, pytest: string | null): string =>
  `echo '${JSON.stringify([`${prefix}/bin/python3`, prefix, prefix, version, pytest])}'`

const find = (...path: string[]) => findToolchains({ path: path.join(':'), home: '/nonexistent' })

describe('toolchains', () => {
  it("are the distribution's own when nothing else is there", async () => {
    const { tools, binds, env, path } = await find('/usr/bin', '/bin')
    expect(tools.bash?.path).toBe('/usr/bin/bash')
    expect(tools.git?.version).toMatch(/^\d+\.\d+/)
    expect(binds[0]).toEqual({ host: '/usr', inside: '/usr' })
    expect(env.TMPDIR).toBe('/tmp')
    expect(path.every((folder) => folder.startsWith('/'))).toBe(true)
  })

  it('are simply absent when they are missing or do not run', async () => {
    const broken = fakeBin({ go: 'exit 1', rustc: 'exit 1', python3: 'exit 1', cmake: 'exit 1' })
    const { tools, env } = await find(broken)
    expect(tools).toEqual({})
    expect(env).not.toHaveProperty('GOPROXY')
  })

  it('take the first interpreter that has pytest, bound at its own path', async () => {
    const [plain, full] = [newFolder(), newFolder()]
    const one = fakeBin({ python3: python(plain, '3.13.1', null) })
    const two = fakeBin({ python3: python(full, '3.11.7', '8.1.0') })
    const { tools, binds, path } = await find(one, two)
    expect(tools.python).toEqual({ version: '3.11.7', path: `${full}/bin/python3` })
    expect(tools.pytest?.version).toBe('8.1.0')
    expect(binds).toContainEqual({ host: full, inside: full })
    expect(path).toContain(`${full}/bin`)
  })

  it('offer an interpreter without pytest when there is no better one, and a `python` where it has none', async () => {
    const plain = newFolder()
    const { tools, links } = await find(fakeBin({ python3: python(plain, '3.13.1', null) }))
    expect(tools).toMatchObject({ python: { version: '3.13.1' } })
    expect(tools).not.toHaveProperty('pytest')
    expect(links).toEqual([{ inside: '/opt/python/bin/python', target: `${plain}/bin/python3` }])
  })

  it("follow rustup's shims to the real folder", async () => {
    const real = newFolder()
    fakeBin({ rustc: 'echo rustc 1.85.0', cargo: 'echo cargo 1.85.1' }, join(real, 'bin'))
    const shims = fakeBin({ rustc: `if [ "$1" = --print ]; then echo ${real}; fi`, cargo: 'exit 1' })
    const { tools, binds, path, env } = await find(shims)
    expect(tools.cargo).toEqual({ version: '1.85.1', path: '/opt/rust/bin/cargo' })
    expect(tools.rustc).toEqual({ version: '1.85.0', path: '/opt/rust/bin/rustc' })
    expect(binds).toContainEqual({ host: real, inside: '/opt/rust' })
    expect(path).toEqual(['/opt/rust/bin'])
    expect(env.CARGO_NET_OFFLINE).toBe('true')
  })

  it("bind Go's real root, and tell old versions nothing that they do not know", async () => {
    const root = newFolder()
    const link = join(newFolder(), 'go')
    symlinkSync(root, link)
    const go = (version: string): string =>
      `if [ "$1" = env ]; then echo ${link}; else echo go version go${version} linux/amd64; fi`
    const now = await find(fakeBin({ go: go('1.24.1') }))
    expect(now.binds).toContainEqual({ host: root, inside: '/opt/go' })
    expect(now.tools.go).toEqual({ version: '1.24.1', path: '/opt/go/bin/go' })
    expect(now.env).toMatchObject({ GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-buildvcs=false' })
    const old = await find(fakeBin({ go: go('1.17.3') }))
    expect(old.env).not.toHaveProperty('GOFLAGS')
  })

  it("never bind a person's own folder for a compiler", async () => {
    const { tools, binds } = await find(
      fakeBin({ cmake: 'echo cmake version 3.30.1', git: 'echo git version 9.9' }),
    )
    expect(tools).toEqual({})
    expect(binds.every(({ host }) => /^\/(usr|bin|lib|sbin|etc)/.test(host))).toBe(true)
  })

  it('have a digest of versions and paths', async () => {
    const prefix = newFolder()
    const first = await find(fakeBin({ python3: python(prefix, '3.11.7', '8.1.0') }))
    const same = await find(fakeBin({ python3: python(prefix, '3.11.7', '8.1.0') }))
    const other = await find(fakeBin({ python3: python(prefix, '3.11.8', '8.1.0') }))
    expect(same.digest).toBe(first.digest)
    expect(other.digest).not.toBe(first.digest)
  })
})
