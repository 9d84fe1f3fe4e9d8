import { realpath } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { ask, everyOnPath, type Found, type HostSearch, isInUsr, plainPath, versionIn } from './found.ts'

const NAMES = [
  'c++',
  'cc',
  'cmake',
  'ctest',
  'make',
  'ninja',
  'git',
  'bash',
  'tar',
  'node',
  'uv',
  'golangci-lint',
  'pwsh',
] as const

/** Compilers and the like, from the distribution or from a folder of their own below /opt. */
export async function findNative(search: HostSearch): Promise<Found> {
  const found = await Promise.all(NAMES.map(async (name) => [name, await findTool(search, name)] as const))
  const offers = found.flatMap(([name, tool]) => (tool ? [{ name, ...tool }] : []))
  const folders = offers.filter(({ prefix }) => prefix !== null)
  return {
    tools: Object.fromEntries(offers.map(({ name, version, path }) => [name, { version, path }])),
    binds: [...new Set(folders.map(({ prefix }) => prefix ?? ''))].map((path) => ({
      host: path,
      inside: path,
    })),
    links: [],
    path: [...new Set(folders.map(({ path }) => dirname(path)))],
    env: {},
  }
}

async function findTool(
  search: HostSearch,
  name: string,
): Promise<{ version: string; path: string; prefix: string | null } | undefined> {
  for (const file of await everyOnPath(search, name)) {
    const [real, path] = [await realpath(file), await plainPath(file)]
    const prefix = dirname(dirname(real))
    const isOwnFolder = /^\/opt\/[^/]+/.test(prefix) && basename(dirname(real)) === 'bin'
    // Elsewhere a tool may stand among a person's own files, which no candidate may see.
    if (!(isInUsr(real) && isInUsr(path)) && !isOwnFolder) continue
    const version = versionIn(await ask(search, file, ['--version']))
    if (version) return isInUsr(real) ? { version, path, prefix: null } : { version, path: real, prefix }
  }
  return undefined
}
