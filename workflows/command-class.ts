import type { ScriptContext } from './called-scripts.ts'
import type { StepClass } from './step-class.ts'

/** Commands that only prepare the shell or tell something: beside an installing command they change no class. */
const NEUTRAL = new Set([
  ...[
    'cd',
    'pushd',
    'popd',
    'echo',
    'printf',
    'export',
    'set',
    'unset',
    'true',
    ':',
    'mkdir',
    'ls',
    'pwd',
    'which',
  ],
  ...[
    'source',
    '.',
    'test',
    '[',
    '[[',
    'for',
    'case',
    'esac',
    'in',
    'sleep',
    'exit',
    'cat',
    'tee',
    'chmod',
    'rm',
    'mv',
  ],
  ...[
    'tar',
    'unzip',
    'update-alternatives',
    'ldconfig',
    'id',
    'uname',
    'date',
    'local',
    'return',
    'function',
    'ln',
    'cp',
  ],
  ...[
    'grep',
    'sed',
    'awk',
    'head',
    'tail',
    'cut',
    'tr',
    'sort',
    'read',
    'shift',
    'trap',
    'wait',
    'dpkg',
    'df',
    'free',
  ],
])

type Rule = (rest: readonly string[], context: ScriptContext) => StepClass | null

const WARM: Rule = () => 'warm'
const BOTH: Rule = () => 'both'

/** By the command's name; a command that is not here needs no network. */
const RULES: Readonly<Record<string, Rule>> = {
  ...Object.fromEntries(
    [
      'apt-get',
      'apt',
      'dnf',
      'yum',
      'apk',
      'brew',
      'conda',
      'mamba',
      'rustup',
      'gem',
      'add-apt-repository',
      'snap',
    ].map((name) => [name, WARM]),
  ),
  ...Object.fromEntries(['curl', 'wget', 'gh', 'pipx', 'vcpkg', 'conan'].map((name) => [name, WARM])),
  // They make environments or fetch hooks and then run the tree's code.
  ...Object.fromEntries(
    ['tox', 'nox', 'hatch', 'pre-commit', 'prek', 'uvx', 'npx', 'maturin', 'cross', 'bazel', 'bazelisk'].map(
      (name) => [name, BOTH],
    ),
  ),
  'golangci-lint': BOTH,
  govulncheck: BOTH,
  pip,
  pip3: pip,
  uv,
  poetry: (rest) =>
    rest[0] === 'install' && !rest.includes('--no-root')
      ? 'both'
      : known(rest[0], { warm: ['install', 'add', 'self'], both: ['run', 'build'] }),
  pdm: (rest) => known(rest[0], { warm: ['add', 'self'], both: ['install', 'sync', 'run', 'build'] }),
  cargo,
  go,
  git: (rest) =>
    known(rest[0], {
      warm: ['clone', 'fetch', 'pull', 'submodule', 'lfs'],
      neutral: ['config', 'log', 'describe', 'rev-parse'],
    }),
  npm: (rest) => known(rest[0], { warm: ['ci', 'install', 'i', 'add'] }),
  yarn: (rest) => known(rest[0] ?? 'install', { warm: ['install', 'add'] }),
  pnpm: (rest) => known(rest[0], { warm: ['install', 'i', 'add'] }),
  cmake,
}

/** The class of one command; null for one that only prepares the shell. */
export function commandClass(words: readonly string[], context: ScriptContext): StepClass | null {
  const [written = '', ...rest] = words
  const name = written.replace(/^.*\//, '')
  if (/^(python|pypy)[\d.]*$/.test(name)) return python(rest, context)
  const toolchain = name === 'cargo' && rest[0]?.startsWith('+') ? rest.slice(1) : rest
  if (/^(-V|-v|--version|version|--help)$/.test(toolchain[0] ?? '')) return null
  const rule = RULES[name]
  if (rule) return rule(toolchain, context)
  return NEUTRAL.has(name) ? null : 'offline'
}

function known(
  word: string | undefined,
  lists: {
    readonly warm?: readonly string[]
    readonly both?: readonly string[]
    readonly neutral?: readonly string[]
  },
): StepClass | null {
  if (lists.warm?.includes(word ?? '')) return 'warm'
  if (lists.both?.includes(word ?? '')) return 'both'
  return lists.neutral?.includes(word ?? '') ? null : 'offline'
}

function python(rest: readonly string[], context: ScriptContext): StepClass | null {
  const module = rest.indexOf('-m')
  if (module < 0) return /^(-V|--version)$/.test(rest[0] ?? '') ? null : 'offline'
  const [name = '', ...more] = rest.slice(module + 1)
  if (name === 'venv' || name === 'ensurepip' || name === 'virtualenv') return 'warm'
  if (name === 'build') return 'both'
  return ['pip', 'tox', 'nox', 'pre_commit', 'poetry', 'hatch', 'pdm', 'uv'].includes(name)
    ? commandClass([name.replace('_', '-'), ...more], context)
    : 'offline'
}

/** An installation of the tree itself builds it: a path, `.`, or `-e`. Requirements and names are only fetched. */
function pip(rest: readonly string[]): StepClass | null {
  const [verb = '', ...more] = rest
  if (verb === 'install' || verb === 'wheel') return installsTree(more) ? 'both' : 'warm'
  if (verb === 'download') return 'warm'
  return ['list', 'freeze', 'show', 'config', 'check', 'cache', 'debug'].includes(verb) ? null : 'offline'
}

function installsTree(words: readonly string[]): boolean {
  return words.some((word, index) => {
    const before = words[index - 1] ?? ''
    if (
      /^(-r|--requirement|-c|--constraint|-f|--find-links|-i|--index-url|-t|--target|--prefix)$/.test(before)
    )
      return false
    if (word === '-e' || word === '--editable' || word.startsWith('--editable=')) return true
    return /^\.{1,2}(\/|\[|$)/.test(word) || /^[\w./-]+\.(whl|tar\.gz)$/.test(word)
  })
}

function uv(rest: readonly string[]): StepClass | null {
  const [verb = '', ...more] = rest.filter((word) => !/^(-q|-v|--quiet|--verbose|--no-progress)$/.test(word))
  if (more.includes('--offline') || verb === '--offline') return 'offline'
  switch (verb) {
    case 'pip':
      return pip(more)
    case 'sync':
      return more.some((word) => /^--no-install-(project|workspace)$/.test(word)) ? 'warm' : 'both'
    case 'run':
    case 'build':
    case 'lock':
      return 'both'
    case 'tool':
      return more[0] === 'run' ? 'both' : 'warm'
    case 'python':
    case 'venv':
      return 'warm'
    default:
      return 'offline'
  }
}

function cargo(rest: readonly string[]): StepClass | null {
  const [verb = ''] = rest.filter((word) => !word.startsWith('-'))
  if (rest.includes('--offline') || rest.includes('--frozen')) return 'offline'
  if (verb === 'install') return rest.includes('--path') ? 'both' : 'warm'
  if (
    verb === 'binstall' ||
    verb === 'fetch' ||
    verb === 'update' ||
    verb === 'generate-lockfile' ||
    verb === 'vendor'
  )
    return 'warm'
  if (verb === 'fmt' || verb === 'clean' || verb === 'locate-project') return 'offline'
  return verb === '' ? null : 'both'
}

function go(rest: readonly string[]): StepClass | null {
  const [verb = '', ...more] = rest
  if (rest.includes('-mod=vendor')) return 'offline'
  if (verb === 'mod')
    return more[0] === 'download'
      ? 'warm'
      : more[0] === 'tidy' || more[0] === 'verify' || more[0] === 'vendor'
        ? 'both'
        : 'offline'
  if (verb === 'install') return more.some((word) => word.includes('@')) ? 'warm' : 'both'
  if (verb === 'get') return 'warm'
  if (verb === 'env' || verb === 'clean') return null
  return verb === 'fmt' ? 'offline' : 'both'
}

const FETCHING_CMAKE = /\b(FetchContent|ExternalProject_Add|CPMAddPackage|file\s*\(\s*DOWNLOAD)/i

/** cmake fetches when it configures a tree that says so; a build only compiles. */
function cmake(rest: readonly string[], context: ScriptContext): StepClass | null {
  if (rest[0] === '--build' || rest[0] === '--install' || rest[0] === '-E' || rest[0] === '-P')
    return 'offline'
  const folders = ['', 'cmake/', 'test/', 'tests/', 'test/cmake/', 'third_party/', 'benchmarks/', 'examples/']
  const own = context.folder ? [`${context.folder}/`] : []
  const names = ['CMakeLists.txt', 'dependencies.cmake', 'FetchContent.cmake', 'CPM.cmake', 'external.cmake']
  const fetches = [...own, ...folders].some((folder) =>
    names.some((name) => FETCHING_CMAKE.test(context.readFile(`${folder}${name}`) ?? '')),
  )
  return fetches ? 'both' : 'offline'
}
