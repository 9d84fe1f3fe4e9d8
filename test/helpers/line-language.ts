import type { LanguageAdapter, ReportFiles } from '../../languages/adapter.ts'
import type { ProcessReport, TestResult } from '../../src/schema/test-result.ts'

/**
 * A tiny test language for tests of the executor: `tests/*.t` hold `name: shell command` lines, `sh run-tests.sh` runs each
 * file in a process of its own and reports `passed name` or `failed name` lines into $REPORTS.
 */
export const RUN_TESTS = `status=0
for file in tests/*.t; do sh run-file.sh "$file" || status=1; done
exit $status
`

export const RUN_FILE = `out="$REPORTS/$(basename "$1").txt"
code=0
while IFS=: read -r name command; do
  if [ -n "$2" ] && [ "$name" != "$2" ] && [ "$name" != "$3" ]; then continue; fi
  if (eval "$command"); then echo "passed $name" >> "$out"; else echo "failed $name" >> "$out"; code=1; fi
done < "$1"
echo "exit $code" >> "$out"
exit $code
`

const sentinelName = (word: string): string => `check_${word}`
const encode = (text: string): string => Buffer.from(text).toString('base64')

export const lineLanguage: LanguageAdapter = {
  id: 'python',
  label: 'Lines',
  tools: [],
  conventions: '',
  classify: (path) => (path.startsWith('tests/') ? 'test' : 'source'),
  withComment: (_, text, comment) => `# ${comment}\n${text}`,
  casesIn: () => [],
  refusesTestFile: () => undefined,
  withTestsOfBase: (_, patched) => patched,
  isTestCommand: (script) => script.includes('run-tests.sh'),
  reporting: (reports) => ({ env: { REPORTS: reports }, joined: [], path: [] }),
  readReports,
  arm(tree, processes, word) {
    const armed = processes
      .map(({ process }) => process.replace(/^lines:/, ''))
      .filter((path) => tree.read(path))
    return {
      changes: armed.map((path) => ({
        change: 'write' as const,
        path,
        mode: '100644' as const,
        contentBase64: encode(withSentinel(tree.read(path)?.toString() ?? '', word)),
      })),
      sentinels: new Map(armed.map((path) => [`lines:${path}`, { suite: path, name: sentinelName(word) }])),
      env: { ARMED: 'yes' },
    }
  },
  planTestFile(_, files, path, step, word) {
    const file = files.find((change) => change.path === path)
    const text = file?.change === 'write' ? Buffer.from(file.contentBase64, 'base64').toString() : ''
    return {
      changes: [{ change: 'write', path, mode: '100644', contentBase64: encode(withSentinel(text, word)) }],
      build: { script: `! grep -q BROKEN ${path}`, env: {} },
      runCase: (name) => ({
        script: `sh run-file.sh ${path} ${name} ${sentinelName(word)}`,
        env: { STEP: step.run },
      }),
      readCase(name, reports) {
        const cases = readReports(reports).flatMap((report) => report.cases)
        return {
          parts: cases.filter((test) => test.name === name),
          sentinelFailed: cases.some((test) => test.name === sentinelName(word) && test.status === 'failed'),
        }
      },
    }
  },
  alwaysFailTest: () => ({ path: 'tests/never.t', text: 'never: false\n', name: 'never' }),
}

const withSentinel = (text: string, word: string): string => `${text}${sentinelName(word)}: false\n`

function readReports(files: ReportFiles): ProcessReport[] {
  return [...files].map(([name, bytes]) => {
    const suite = `tests/${name.replace(/\.txt$/, '')}`
    const lines = bytes.toString('utf8').split('\n')
    const cases = lines.flatMap((line): TestResult[] => {
      const match = /^(passed|failed) (\S+)$/.exec(line)
      if (!match) return []
      return [{ suite, name: match[2] ?? '', status: match[1] === 'passed' ? 'passed' : 'failed' }]
    })
    const exit = lines.find((line) => line.startsWith('exit '))
    const exitCode = exit === undefined ? null : Number(exit.slice(5))
    return { process: `lines:${suite}`, exitCode, signal: null, cases, complete: exitCode !== null }
  })
}
