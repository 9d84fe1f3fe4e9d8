import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { ask, everyOnPath, type Found, type HostSearch, isInUsr, NOTHING, realFolder } from './found.ts'

const LINKS = '/opt/python/bin'

const ENV = {
  PIP_NO_INDEX: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
  UV_OFFLINE: '1',
  PYTHONDONTWRITEBYTECODE: '1',
}

const ABOUT = `
import json, sys
try:
    import pytest
    found = pytest.__version__
except Exception:
    found = None
print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, sys.version.split()[0], found]))
`

interface Interpreter {
  readonly executable: string
  readonly prefixes: readonly string[]
  readonly version: string
  readonly pytest: string | null
}

/**
 * The first interpreter on PATH that has pytest, else the first one. A version manager's shim names the real one itself,
 * which keeps its own path inside: at another it would quietly take the system's library.
 */
export async function findPython(search: HostSearch): Promise<Found> {
  const files = await everyOnPath(search, 'python3')
  const found = (await Promise.all(files.map((file) => aboutInterpreter(search, file)))).filter(
    (one) => one !== undefined,
  )
  const chosen = found.find(({ pytest }) => pytest !== null) ?? found[0]
  return chosen ? offer(chosen) : NOTHING
}

const About = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string().nullable()])

async function aboutInterpreter(search: HostSearch, file: string): Promise<Interpreter | undefined> {
  // Packages in the user's home are not there in a sandbox.
  const env = { PYTHONNOUSERSITE: '1', PYTHONDONTWRITEBYTECODE: '1' }
  const answer = (await ask(search, file, ['-c', ABOUT], env))?.split('\n').at(-1) ?? ''
  const about = About.safeParse(parseJson(answer))
  if (!about.success) return undefined
  const [executable, prefix, base, version, pytest] = about.data
  const prefixes = await Promise.all([prefix, base].map((path) => realFolder(path)))
  if (prefixes.some((path) => path === undefined)) return undefined
  return {
    executable: executable.replace(/^\/bin\//, '/usr/bin/'),
    prefixes: [...new Set(prefixes.filter((path) => path !== undefined))],
    version,
    pytest,
  }
}

/** Undefined for what is no JSON: then it was not the interpreter that answered. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function offer({ executable, prefixes, version, pytest }: Interpreter): Found {
  const bin = dirname(executable)
  const python = join(bin, 'python')
  const script = join(bin, 'pytest')
  // Debian has no `python`, which workflows call after setup-python.
  const links = existsSync(python) ? [] : [{ inside: join(LINKS, 'python'), target: executable }]
  const path = [...(links.length > 0 ? [LINKS] : []), ...(isInUsr(bin) ? [] : [bin])]
  return {
    tools: {
      python: { version, path: executable },
      ...(pytest === null
        ? {}
        : { pytest: { version: pytest, path: existsSync(script) ? script : executable } }),
    },
    binds: prefixes.filter((prefix) => !isInUsr(prefix)).map((prefix) => ({ host: prefix, inside: prefix })),
    links,
    path,
    env: ENV,
  }
}
