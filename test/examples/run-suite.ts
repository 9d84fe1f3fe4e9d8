import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { LanguageId } from '../../src/schema/language.ts'

export interface SuiteRun {
  /** `suite::name` → whether it passed; empty when nothing was built. */
  readonly cases: ReadonlyMap<string, boolean>
  /** Of the test command, as the workflow's step would end. */
  readonly exitCode: number | null
  readonly output: string
}

const run = (
  folder: string,
  env: Record<string, string>,
  argv: readonly string[],
): SpawnSyncReturns<string> =>
  spawnSync(argv[0] ?? '', argv.slice(1), {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })

const runOf = (done: SpawnSyncReturns<string>, cases: Iterable<readonly [string, boolean]>): SuiteRun => ({
  cases: new Map(cases),
  exitCode: done.status,
  output: `${done.stdout}${done.stderr}`,
})

/** The cases of a JUnit report, as [class name, name, whether it passed]. */
const readJunit = (xml: string): readonly (readonly [string, string, boolean])[] =>
  [...xml.matchAll(/<testcase\b([^>]*?)(\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = '', , body = '']) => {
      const attribute = (name: string): string =>
        new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''
      return [attribute('classname'), attribute('name'), !/<(failure|error|skipped)\b/.test(body)]
    },
  )

/** Calls with a new folder for reports, which is removed. */
function withReports<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'arena-reports-'))
  try {
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const runCpp = (folder: string, target: string | undefined): SuiteRun =>
  withReports((reports) => {
    const configured = run(folder, {}, ['cmake', '-S', '.', '-B', 'build'])
    if (configured.status !== 0) return runOf(configured, [])
    const built = run(folder, {}, ['cmake', '--build', 'build', ...(target ? ['--target', target] : [])])
    if (built.status !== 0) return runOf(built, [])
    const tested = run(folder, { GTEST_OUTPUT: `xml:${reports}/` }, [
      'ctest',
      '--test-dir',
      'build',
      '--output-on-failure',
      ...(target ? ['-R', `^${target}$`] : []),
    ])
    const cases = readdirSync(reports).flatMap((file) =>
      readJunit(readFileSync(join(reports, file), 'utf8')).map(
        ([suite, name, passed]) =>
          [`${file.replace(/(_\d+)?\.xml$/, '')}::${suite}.${name}`, passed] as const,
      ),
    )
    return runOf(tested, cases)
  })

const runPython = (folder: string, file: string | undefined): SuiteRun =>
  withReports((reports) => {
    const report = join(reports, 'report.xml')
    const tested = run(folder, { PYTHONHASHSEED: '42', PYTHONDONTWRITEBYTECODE: '1' }, [
      'python3',
      '-m',
      'pytest',
      '-p',
      'no:cacheprovider',
      `--junitxml=${report}`,
      ...(file ? [file] : []),
    ])
    const xml = readdirSync(reports).length > 0 ? readFileSync(report, 'utf8') : ''
    const cases = readJunit(xml)
      .filter(([suite]) => suite !== '')
      .map(([suite, name, passed]) => [`${suite.replaceAll('.', '/')}.py::${name}`, passed] as const)
    return runOf(tested, cases)
  })

function runRust(folder: string, test: string | undefined): SuiteRun {
  const only = test ? ['--test', test] : []
  const tested = run(folder, {}, [
    'bash',
    '-c',
    'exec cargo test "$@" 2>&1',
    'cargo',
    '--locked',
    '--no-fail-fast',
    ...only,
  ])
  let suite = ''
  const cases: (readonly [string, boolean])[] = []
  for (const line of tested.stdout.split('\n')) {
    const unit = /Running unittests .*\/deps\/(\w+)-[0-9a-f]+\)/.exec(line)?.[1]
    const file = /Running tests\/(\w+)\.rs/.exec(line)?.[1]
    if (unit) suite = `unit:${unit}`
    if (file) suite = `test:${file}`
    const [, name, status] = /^test (\S+) \.\.\. (ok|FAILED)$/.exec(line) ?? []
    if (name) cases.push([`${suite}::${name}`, status === 'ok'])
  }
  return runOf(tested, cases)
}

function runGo(folder: string): SuiteRun {
  const module = /^module (\S+)$/m.exec(readFileSync(join(folder, 'go.mod'), 'utf8'))?.[1] ?? ''
  const tested = run(folder, { GOFLAGS: '-buildvcs=false' }, ['go', 'test', '-json', './...'])
  const cases = tested.stdout.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return []
    const event: { Action?: string; Package?: string; Test?: string } = JSON.parse(line)
    if (!event.Test || (event.Action !== 'pass' && event.Action !== 'fail')) return []
    const suite = event.Package === module ? '.' : (event.Package ?? '').slice(module.length + 1)
    return [[`${suite}::${event.Test}`, event.Action === 'pass'] as const]
  })
  return runOf(tested, cases)
}

/**
 * Builds and runs an example's tests with the host's tools, as its workflow does. `only`: a test file; the others are left
 * out where that is quicker.
 */
export function runSuite(language: LanguageId, folder: string, only?: string): SuiteRun {
  const stem = only === undefined ? undefined : basename(only).replace(/\.\w+$/, '')
  switch (language) {
    case 'cpp':
      return runCpp(folder, stem)
    case 'python':
      return runPython(folder, only)
    case 'rust':
      return runRust(folder, stem)
    case 'go':
      return runGo(folder)
  }
}

const COMMANDS: Readonly<Record<LanguageId, readonly (readonly string[])[]>> = {
  cpp: [
    ['cmake', '--version'],
    ['ctest', '--version'],
    ['c++', '--version'],
  ],
  python: [['python3', '-m', 'pytest', '--version']],
  rust: [['cargo', '--version']],
  go: [
    ['go', 'version'],
    ['gofmt', '-h'],
  ],
}

/** Whether the host can build and test this language. */
export const hasTools = (language: LanguageId): boolean =>
  COMMANDS[language].every(
    ([command = '', ...args]) => spawnSync(command, args, { stdio: 'ignore' }).error === undefined,
  ) &&
  (language !== 'python' ||
    spawnSync('python3', ['-m', 'pytest', '--version'], { stdio: 'ignore' }).status === 0)
