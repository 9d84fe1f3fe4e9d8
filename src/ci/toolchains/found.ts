import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { runTool } from '../runners/run-tool.ts'
import type { Tool } from '../toolchains.ts'

/** Where the host's tools are looked for. */
export interface HostSearch {
  /** PATH of the host. */
  readonly path: string
  /** The user's home: version managers keep their toolchains below it. */
  readonly home: string
}

/** What one language adds to the toolchains. */
export interface Found {
  readonly tools: Readonly<Record<string, Tool>>
  readonly binds: readonly { readonly host: string; readonly inside: string }[]
  readonly links: readonly { readonly inside: string; readonly target: string }[]
  readonly path: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export const NOTHING: Found = { tools: {}, binds: [], links: [], path: [], env: {} }

const PROBE_MS = 20_000

/** Runs a tool to learn about it; undefined when it fails. */
export async function ask(
  search: HostSearch,
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const { exitCode, output } = await runTool(file, args, {
    env: { PATH: search.path, HOME: search.home, ...env },
    cwd: '/',
    timeoutMs: PROBE_MS,
  })
  return exitCode === 0 ? output : undefined
}

/** Every executable file of this name on PATH, first wins. */
export async function everyOnPath(search: HostSearch, name: string): Promise<readonly string[]> {
  const files = search.path
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
  const usable = await Promise.all(
    files.map(async (file) => {
      const about = await stat(file).catch(() => undefined)
      const mayRun = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      return about?.isFile() === true && mayRun
    }),
  )
  return [...new Set(files.filter((_, index) => usable[index]))]
}

/** Where a folder really is; undefined when there is none. */
export const realFolder = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined)

export const isInUsr = (path: string): boolean => path === '/usr' || path.startsWith('/usr/')

/** The path by which a file is called when its folder is a link into /usr, as /bin is. */
export async function plainPath(file: string): Promise<string> {
  const folder = await realpath(join(file, '..'))
  return join(folder, basename(file))
}

export const versionIn = (text: string | undefined): string | undefined =>
  /\d+(?:\.\d+)+/.exec(text ?? '')?.[0]
