import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HOME_INSIDE } from '../runners/port.ts'
import { ask, everyOnPath, type Found, type HostSearch, isInUsr, NOTHING, versionIn } from './found.ts'

const INSIDE = '/opt/rust'

/** The first cargo on PATH with the compiler that it runs: rustup's shims lead to the real toolchain's folder. */
export async function findRust(search: HostSearch): Promise<Found> {
  for (const rustc of await everyOnPath(search, 'rustc')) {
    const sysroot = (await ask(search, rustc, ['--print', 'sysroot']))?.split('\n').at(-1)
    if (!sysroot) continue
    const cargo = join(sysroot, 'bin', 'cargo')
    const compiler = join(sysroot, 'bin', 'rustc')
    if (!existsSync(cargo) || !existsSync(compiler)) continue
    const cargoVersion = versionIn(await ask(search, cargo, ['--version']))
    const version = versionIn(await ask(search, compiler, ['--version']))
    if (!cargoVersion || !version) continue
    const inside = isInUsr(sysroot) ? sysroot : INSIDE
    return {
      tools: {
        cargo: { version: cargoVersion, path: join(inside, 'bin', 'cargo') },
        rustc: { version, path: join(inside, 'bin', 'rustc') },
      },
      binds: isInUsr(sysroot) ? [] : [{ host: sysroot, inside: INSIDE }],
      links: [],
      path: sysroot === '/usr' ? [] : [join(inside, 'bin')],
      env: { CARGO_HOME: join(HOME_INSIDE, '.cargo'), CARGO_NET_OFFLINE: 'true' },
    }
  }
  return NOTHING
}
