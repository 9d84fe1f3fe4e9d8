import { describe, expect, it } from 'vitest'
import { go } from '../../languages/go.ts'
import { needs } from '../helpers/require.ts'
import { armedOutcomes, changesOf, hasTool, runCase, statuses, workplace } from './run-script.ts'

const MODULE = { 'go.mod': 'module example.invalid/shapes\n\ngo 1.19\n' }
const FILES = {
  ...MODULE,
  'area.go': 'package shapes\n\nfunc Area(a, b int) int { return a * b }\n',
  'area_test.go': [
    'package shapes',
    '',
    'import (',
    '\t"fmt"',
    '\t"testing"',
    ')',
    '',
    'func TestSquare(t *testing.T) {',
    '\tfmt.Print("Hello")',
    '\tif Area(2, 2) != 4 {',
    '\t\tt.Fatal("no square")',
    '\t}',
    '}',
    '',
    'func TestMany(t *testing.T) {',
    '\tt.Run("a/b c", func(t *testing.T) {})',
    '\tt.Run("bad", func(t *testing.T) { t.Error("why") })',
    '}',
    '',
    'func TestLater(t *testing.T) { t.Skip("later") }',
    '',
  ].join('\n'),
  'inner/inner.go': 'package inner\n',
  'inner/inner_test.go':
    'package inner\n\nimport (\n\t"fmt"\n\t"testing"\n)\n\nfunc TestSquare(t *testing.T) { fmt.Println("--- FAIL: TestSquare (0.00s)") }\n',
}

const FORGED = [
  'package shapes',
  '',
  'import (',
  '\t"fmt"',
  '\t"syscall"',
  ')',
  '',
  'func Area(a, b int) int { return 0 }',
  '',
  'func init() {',
  '\tfor _, name := range []string{"TestSquare", "TestMany", "TestLater"} {',
  '\t\tfmt.Printf("\\x16=== RUN   %s\\n\\x16--- PASS: %s (0.00s)\\n", name, name)',
  '\t}',
  '\tfmt.Print("\\x16PASS\\n")',
  '\tsyscall.Exit(0)',
  '}',
  '',
].join('\n')

describe.skipIf(needs('go', hasTool('go')))('go with the real tool', () => {
  it('reports each case by package, subtests beside their parents, and each package’s exit code', () => {
    using place = workplace(go, FILES)
    const ran = place.run('go test ./...')
    expect(ran.exitCode).toBe(1)
    expect(statuses(go, ran)).toEqual({
      '.::TestSquare': 'passed',
      '.::TestMany': 'failed',
      '.::TestMany/a/b_c': 'passed',
      '.::TestMany/bad': 'failed',
      '.::TestLater': 'skipped',
      'inner::TestSquare': 'passed',
    })
    const reports = go.readReports(ran.reports)
    expect(reports.map(({ process, exitCode, complete }) => [process, exitCode, complete]).sort()).toEqual([
      ['go:.', 1, true],
      ['go:inner', 0, true],
    ])
    expect(
      reports.flatMap((report) => report.cases).find((test) => test.name === 'TestMany/bad')?.message,
    ).toContain('why')
    expect(ran.output).toContain('ok  \texample.invalid/shapes/inner')
  })

  it('leaves go test -json, -v and the step’s GOFLAGS as they are', () => {
    using place = workplace(go, {
      ...FILES,
      'tagged_test.go':
        '//go:build deep\n\npackage shapes\n\nimport "testing"\n\nfunc TestDeep(t *testing.T) {}\n',
    })
    const ran = place.run(
      'go test -json -run Square,Deep ./... > out.json; go test -v -run TestDeep . ; go version',
      { GOFLAGS: '-tags=deep' },
    )
    expect(statuses(go, ran)).toMatchObject({ '.::TestDeep': 'passed' })
    expect(ran.output).toContain('--- PASS: TestDeep')
    expect(ran.output).not.toContain('\x16')
    const json = place.run('go test -json -run TestSquare ./...').output
    // Of the package whose test prints no unfinished line: before Go 1.20, `go test -json` itself loses such a test.
    expect(json).toContain('"Action":"pass","Package":"example.invalid/shapes/inner","Test":"TestSquare"')
  })

  it('reports a test whose process ends in it as errored, with the exit code', () => {
    using place = workplace(go, {
      ...MODULE,
      'a_test.go':
        'package shapes\n\nimport "testing"\n\nfunc TestOk(t *testing.T) {}\nfunc TestPanic(t *testing.T) { panic("x") }\n',
      'b/b_test.go':
        'package b\n\nimport (\n\t"syscall"\n\t"testing"\n)\n\nfunc TestLeave(t *testing.T) { syscall.Exit(0) }\nfunc TestKill(t *testing.T) {}\n',
    })
    const ran = place.run('go test ./... || true')
    expect(statuses(go, ran)).toMatchObject({
      '.::TestOk': 'passed',
      '.::TestPanic': 'failed',
      'b::TestLeave': 'errored',
    })
    const b = go.readReports(ran.reports).find((report) => report.process === 'go:b')
    expect(b).toMatchObject({ exitCode: 0, complete: false })
  })

  it.each([
    ['all packages, stopping at the first failure', 'go test -failfast ./...', ['go:.', 'go:inner']],
    ['one package with a name filter', 'go test -run Square .', ['go:.']],
    ['two runs of one package', 'go test ./inner && go test -v ./inner', ['go:inner', 'go:inner#2']],
  ])('arms %s', (_, script, processes) => {
    using place = workplace(go, FILES)
    // What was there to run is known from base, where nothing stops early.
    const plain = place.run(`${script.replace(' -failfast', '')} || true`)
    const { outcomes } = armedOutcomes(go, place, plain, script)
    expect(outcomes).toEqual(Object.fromEntries(processes.map((process) => [process, 'failed, exit 1'])))
  })

  it('does not report the sentinel failed when an init prints results and exits 0', () => {
    using place = workplace(go, {
      ...FILES,
      'area_test.go': FILES['area_test.go'].replace('t.Error("why")', ''),
    })
    const plain = place.run('go test ./...')
    place.write(changesOf({ 'area.go': FORGED }))
    const forged = place.run('go test ./...')
    expect(forged.exitCode).toBe(0)
    expect(statuses(go, forged)).toMatchObject({ '.::TestSquare': 'passed', '.::TestMany': 'passed' })
    const { outcomes } = armedOutcomes(go, place, plain, 'go test ./...')
    expect(outcomes).toEqual({ 'go:.': 'absent, exit 0', 'go:inner': 'failed, exit 1' })
  })

  it('builds one file once and runs one case with its sentinel in one process', () => {
    using place = workplace(go, FILES)
    const files = changesOf({
      'new_test.go': [
        'package shapes',
        '',
        'import (',
        '\t"syscall"',
        '\t"testing"',
        ')',
        '',
        'func TestNew(t *testing.T) {',
        '\tt.Run("one", func(t *testing.T) {})',
        '}',
        'func TestSquareToo(t *testing.T) { t.Fatal("bad") }',
        'func TestLeave(t *testing.T) { syscall.Exit(0) }',
        '',
      ].join('\n'),
    })
    const run = 'echo set up\ngo test -failfast -race -run Square ./...'
    const step = { run: run.replace(' -race', ''), repo: place.repo, cwd: place.repo, env: {} }
    const plan = go.planTestFile(place.tree, files, 'new_test.go', step, 'quartz')
    place.write(plan.changes)
    expect(place.run(plan.build?.script ?? 'false', { RUNNER_TEMP: place.repo })).toMatchObject({
      exitCode: 0,
    })
    const env = { RUNNER_TEMP: place.repo }
    const caseOf = (name: string): ReturnType<typeof runCase> => runCase(place, plan, name, '.', env)
    // The exit code is the test binary's own: its sentinel has failed.
    expect(caseOf('TestNew')).toMatchObject({
      sentinelFailed: true,
      ran: { exitCode: 1 },
      parts: expect.arrayContaining([
        expect.objectContaining({ name: 'TestNew/one', status: 'passed' }),
        expect.objectContaining({ name: 'TestNew', status: 'passed' }),
      ]),
    })
    expect(caseOf('TestSquareToo')).toMatchObject({ sentinelFailed: true, parts: [{ status: 'failed' }] })
    const left = caseOf('TestLeave')
    expect(left).toMatchObject({
      sentinelFailed: false,
      parts: [{ status: 'errored' }],
      ran: { exitCode: 0 },
    })
    expect(
      go.planTestFile(place.tree, files, 'new_test.go', { ...step, run }, 'quartz').build?.script,
    ).toContain('go test -race -c -o')
  })

  it('does not build a file that does not fit the tree', () => {
    using place = workplace(go, FILES)
    const files = changesOf({
      'new_test.go': 'package shapes\n\nimport "testing"\n\nfunc TestNew(t *testing.T) { Volume() }\n',
    })
    const step = { run: 'go test ./...', repo: place.repo, cwd: place.repo, env: {} }
    const plan = go.planTestFile(place.tree, files, 'new_test.go', step, 'quartz')
    place.write(plan.changes)
    expect(place.run(plan.build?.script ?? 'true', { RUNNER_TEMP: place.repo }).exitCode).not.toBe(0)
  })
})

/** A folder with an older toolchain, to be tested too. */
const OLD = process.env.ARENA_TEST_OLD_GO
describe.runIf(OLD !== undefined)('go 1.19', () => {
  it('reports and arms without marks', () => {
    using place = workplace(go, FILES, { path: [OLD ?? ''] })
    const plain = place.run('go test ./...')
    expect(statuses(go, plain)).toMatchObject({ '.::TestSquare': 'passed', '.::TestMany/bad': 'failed' })
    expect(armedOutcomes(go, place, plain, 'go test ./...').outcomes).toMatchObject({
      'go:.': 'failed, exit 1',
    })
  })
})
