import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingSentence, warmToolchains } from '../../src/ci/warm-toolchains.ts'

const SYSTEM = fileURLToPath(new URL('../../languages/tools/system', import.meta.url))
let folder = ''

/** A toolchain 1.95.0 with clippy and without formatter, in which cargo tells its arguments. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'arena-rustup-'))
  const bin = join(folder, 'bin')
  mkdirSync(join(folder, 'lib', 'rustlib', 'x86_64-unknown-linux-gnu'), { recursive: true })
  mkdirSync(bin)
  const script = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  script('rustc', `[ "$1" = --print ] && echo '${folder}' || echo 'rustc 1.95.0 (59807616e 2026-04-14)'`)
  script('cargo', 'echo "cargo got $*"')
  script('cargo-clippy', '')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A command line, its exit code, and what the stand-in named as missing. */
function run(command: string, env: Readonly<Record<string, string>> = {}) {
  const missing = join(mkdtempSync(join(folder, 'run-')), 'missing')
  writeFileSync(missing, '')
  const { status, stdout } = spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    env: { PATH: `${SYSTEM}:${join(folder, 'bin')}:/usr/bin:/bin`, ARENA_MISSING: missing, ...env },
  })
  return { status, stdout, missing: readFileSync(missing, 'utf8').trim().split('\n').filter(Boolean) }
}

describe('the stand-in for rustup', () => {
  test.each([
    'rustup update stable --no-self-update',
    'rustup toolchain install 1.95 --profile minimal --component clippy',
    'rustup toolchain install stable-x86_64-unknown-linux-gnu -c clippy',
    'rustup default 1.95.0 && rustup override set stable',
    'rustup component add clippy && rustup target add x86_64-unknown-linux-gnu',
    'rustup show && rustup set profile minimal && rustup self update',
  ])('%s: what is at hand is there', (command) => {
    expect(run(command)).toMatchObject({ status: 0, missing: [] })
  })

  test.each([
    ['rustup update nightly-2026-01-01 && rustup default nightly-2026-01-01', ['rust:nightly-2026-01-01']],
    ['rustup toolchain install 1.9 --profile minimal', ['rust:1.9']],
    ['rustup component add --toolchain stable rustfmt clippy', ['rust:rustfmt']],
    ['rustup toolchain install stable --component clippy,rust-src', ['rust:rust-src']],
    ['rustup target add wasm32-wasip1', ['rust:wasm32-wasip1']],
    ['cargo +beta test', ['rust:beta']],
  ])('%s: what is not there is named, and fails', (command, missing) => {
    expect(run(command)).toMatchObject({ status: 1, missing })
    expect(missingSentence(missing)).toBe(`not on this machine: ${missing[0]?.replace(':', ' ')}`)
  })

  test('with substitution what is at hand is taken, and said', () => {
    const { env } = warmToolchains(TOOLCHAINS, true)
    const answer = run('rustup toolchain install beta && cargo +beta test --all', env)
    expect(answer).toMatchObject({ status: 0, missing: [] })
    expect(answer.stdout).toContain('::notice::substituted: rust beta is not on this machine; rust 1.95.0 is')
    expect(answer.stdout).toContain('cargo got test --all')
    expect(run('rustup toolchain install beta', warmToolchains(TOOLCHAINS, false).env).status).toBe(1)
  })

  test('cargo itself is passed through, with its toolchain left out', () => {
    expect(run('cargo test +x').stdout).toBe('cargo got test +x\n')
    expect(run('cargo +stable test').stdout).toBe('cargo got test\n')
    expect(run('rustup run stable cargo build').stdout).toBe('cargo got build\n')
    expect(run('rustup +stable which cargo').stdout.trim()).toBe(join(folder, 'bin', 'cargo'))
  })

  test('it says that there is no toolchain where there is none', () => {
    const env = { PATH: `${SYSTEM}:/usr/bin:/bin` }
    expect(spawnSync('sh', ['-c', 'rustup update stable'], { env }).status).toBe(127)
    expect(() => execFileSync('sh', ['-c', 'cargo test'], { env, stdio: 'pipe' })).toThrow()
  })
})

const TOOLCHAINS = { binds: [], path: [], env: {}, tools: {}, digest: '' }
