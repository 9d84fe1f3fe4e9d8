import { dirname, join } from 'node:path'
import { HOME_INSIDE, PROXY_URL, TOOLS_INSIDE } from './runners/port.ts'
import type { Toolchains } from './toolchains.ts'

/** What the arena itself puts into a warm layer. */
const KEPT = join(HOME_INSIDE, '.arena')
const PYTHON = join(KEPT, 'python')
/** Stands for `sudo`, the distribution's package manager and `rustup`. */
const SYSTEM = join(TOOLS_INSIDE, 'system')
/** Where the latter two name what is missing. */
export const MISSING_VARIABLE = 'ARENA_MISSING'
/** Set where what is at hand may stand for what is missing. */
const SUBSTITUTE_VARIABLE = 'ARENA_SUBSTITUTE'
/** Wheels that offline builds need. */
const WHEELS = join(KEPT, 'wheels')

/**
 * The toolchains of a leg with a warm phase, in which Python is an environment of the leg's own: as on GitHub's runners,
 * steps may install into it. `substitute`: whether a version at hand may stand for another.
 */
export function warmToolchains(toolchains: Toolchains, substitute: boolean): Toolchains {
  const { python } = toolchains.tools
  const offline = { PIP_FIND_LINKS: WHEELS, CARGO_NET_OFFLINE: 'true' }
  const env = { ...toolchains.env, ...offline, ...(substitute ? { [SUBSTITUTE_VARIABLE]: '1' } : {}) }
  const path = [SYSTEM, ...toolchains.path]
  if (!python) return { ...toolchains, env, path }
  const bin = join(PYTHON, 'bin')
  return {
    ...toolchains,
    env,
    path: [SYSTEM, bin, ...toolchains.path],
    tools: { ...toolchains.tools, python: { ...python, path: join(bin, 'python') } },
  }
}

/** The same with a network: what keeps tools offline is left out. `extra`: the operator's. */
export function fetchingToolchains(
  toolchains: Toolchains,
  extra: Readonly<Record<string, string>>,
): Toolchains {
  const OFFLINE = /^(PIP_NO_INDEX|PIP_FIND_LINKS|UV_OFFLINE|CARGO_NET_OFFLINE|GOPROXY|GOSUMDB|GOTOOLCHAIN)$/
  const online = Object.entries(toolchains.env).filter(([name]) => !OFFLINE.test(name))
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [
    [name, PROXY_URL],
    [name.toLowerCase(), PROXY_URL],
  ])
  const local = 'localhost,127.0.0.1,::1'
  return {
    ...toolchains,
    env: {
      ...Object.fromEntries(online),
      ...Object.fromEntries(proxies),
      NO_PROXY: local,
      no_proxy: local,
      // Versions of Go beside the one at hand would have to be fetched again offline.
      GOTOOLCHAIN: 'local',
      ...extra,
    },
  }
}

/** Makes the leg's own Python; undefined when there is none. `original`: the toolchains as found. */
export function makePythonScript(original: Toolchains): string | undefined {
  const { python } = original.tools
  return python && `'${python.path}' -m venv '${PYTHON}'\nmkdir -p '${WHEELS}'\n`
}

/**
 * Wheels of what the project's build asks for (PEP 518), so that it can be built without an index. Fetched by pip into the
 * folder that PIP_FIND_LINKS names offline; a project without pyproject.toml is built by setuptools.
 */
export function wheelScript(original: Toolchains): string | undefined {
  if (!original.tools.python) return undefined
  const read = [
    'import sys',
    'try: import tomllib',
    'except ImportError: import pip._vendor.tomli as tomllib',
    "try: table = tomllib.load(open('pyproject.toml', 'rb')).get('build-system', {})",
    'except OSError: table = {}',
    "print('\\n'.join(table.get('requires', ['setuptools', 'wheel'])))",
  ].join('\n')
  return [
    '[ -e pyproject.toml ] || [ -e setup.py ] || exit 0',
    `'${join(PYTHON, 'bin', 'python')}' - <<'READ' > '${join(dirname(WHEELS), 'requires.txt')}'\n${read}\nREAD`,
    `'${join(PYTHON, 'bin', 'python')}' -m pip wheel --quiet --wheel-dir '${WHEELS}' --requirement '${join(dirname(WHEELS), 'requires.txt')}'`,
  ].join('\n')
}

/** What stand-ins for installers named as missing, one a line, in a sentence with the remedy; null when it is nothing. */
export function missingSentence(lines: readonly string[]): string | null {
  const names = [...new Set(lines)]
  const packages = names.filter((name) => /^[a-z0-9][a-z0-9.+-]*$/.test(name))
  const rust = names.flatMap((name) => /^rust:([a-z0-9][\w.-]*)$/.exec(name)?.[1] ?? [])
  const told = [
    ...(packages.length === 0 ? [] : [`${packages.join(', ')} (apt-get install ${packages.join(' ')})`]),
    ...rust.map((name) => `rust ${name}`),
  ]
  return told.length === 0 ? null : `not on this machine: ${told.join(', ')}`
}
