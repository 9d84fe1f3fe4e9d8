import { existsSync } from 'node:fs'
import { digestOfValue } from '../schema/canonical.ts'
import { unmergedFolders } from './runners/root-folder.ts'
import type { HostSearch } from './toolchains/found.ts'
import { findGo } from './toolchains/go.ts'
import { findNative } from './toolchains/native.ts'
import { findPython } from './toolchains/python.ts'
import { findRust } from './toolchains/rust.ts'

/** A tool that the sandbox offers: found on the host, bound read-only. */
export interface Tool {
  readonly version: string
  /** Path inside the sandbox. */
  readonly path: string
}

/** The local toolchains: what is bound into every sandbox, and the environment that makes them work there. */
export interface Toolchains {
  readonly binds: readonly { readonly host: string; readonly inside: string }[]
  /** Symbolic links made inside: names that the host's tools lack. */
  readonly links?: readonly { readonly inside: string; readonly target: string }[]
  /** Folders for PATH inside, first wins. */
  readonly path: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** By name: `python`, `pytest`, `go`, `cargo`, `rustc`, `cmake`, `ctest`, `c++`, `git`, `bash`. Absent when not at hand. */
  readonly tools: Readonly<Record<string, Tool>>
  /** SHA-256 over versions and paths: part of the environment digest. */
  readonly digest: string
}

/** Debian's names for compilers lead through /etc/alternatives; the linker's cache finds libraries in unusual folders. */
const SYSTEM = ['/usr', '/etc/alternatives', '/etc/ld.so.cache']

/**
 * Finds the host's toolchains by their real folders. A tool that is missing or does not run is absent from `tools`. Runs each
 * tool a few times to learn its version.
 */
export async function findToolchains(search: HostSearch): Promise<Toolchains> {
  const found = await Promise.all([findPython(search), findGo(search), findRust(search), findNative(search)])
  const system = [...SYSTEM, ...unmergedFolders()]
    .filter((path) => existsSync(path))
    .map((path) => ({ host: path, inside: path }))
  const tools = Object.assign({}, ...found.map((one) => one.tools)) as Record<string, Tool>
  const toolchains = {
    binds: [...system, ...found.flatMap(({ binds }) => binds)],
    links: found.flatMap(({ links }) => links),
    path: [...new Set(found.flatMap(({ path }) => path))],
    env: Object.assign({ TMPDIR: '/tmp' }, ...found.map(({ env }) => env)) as Record<string, string>,
    tools,
  }
  const { path, env, links } = toolchains
  return { ...toolchains, digest: digestOfValue({ tools, path, env, links }) }
}
