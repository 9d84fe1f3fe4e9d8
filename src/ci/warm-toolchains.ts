import { dirname, join } from 'node:path'
import { HOME_INSIDE, PROXY_URL, TOOLS_INSIDE } from './runners/port.ts'
import type { Toolchains } from './toolchains.ts'

/** What the arena itself puts into a warm layer. */
const KEPT = join(HOME_INSIDE, '.arena')
const PYTHON = join(KEPT, 'python')
/** Stands for `sudo` and the distribution's package manager. */
const SYSTEM = join(TOOLS_INSIDE, 'system')
/** Where the latter names what is missing. */
export const MISSING_VARIABLE = 'ARENA_MISSING'
/** Wheels that offline builds need. */
const WHEELS = join(KEPT, 'wheels')

/**
 * The toolchains of a leg with a warm phase, in which Python is an environment of the leg's own: as on GitHub's runners,
 * steps may install into it.
 */
export function warmToolchains(toolchains: Toolchains): Toolchains {
  const { python } = toolchains.tools
  const offline = { PIP_FIND_LINKS: WHEELS, CARGO_NET_OFFLINE: 'true' }
  const env = { ...toolchains.env, ...offline }
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
