import { describe, expect, it } from 'vitest'
import { parseCtestJunit, parseListing } from '../../languages/cpp/ctest-report.ts'
import { parseGtestXml } from '../../languages/cpp/gtest-xml.ts'
import { parseGoOutput } from '../../languages/go/read-reports.ts'
import { languageOf } from '../../languages/index.ts'
import { readPytestReports } from '../../languages/python/read-reports.ts'
import { parseLibtestJson, parseLibtestText } from '../../languages/rust/libtest.ts'

const statusesOf = (cases: readonly { name: string; status: string }[]): [string, string][] =>
  cases.map((test) => [test.name, test.status])

function pytestFiles(
  records: readonly object[],
  exit: object = { code: 1, signal: null },
): Map<string, Buffer> {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  return new Map([
    ['pytest/1/records.jsonl', Buffer.from(lines)],
    ['pytest/1/exit.json', Buffer.from(JSON.stringify(exit))],
  ])
}
const phase = (nodeid: string, outcome: string, more: object = {}): object => ({
  event: 'phase',
  when: 'call',
  nodeid,
  outcome,
  part: false,
  durationMs: 1,
  ...more,
})

describe('pytest records', () => {
  it('keep whole ids, whatever parameters and messages hold', () => {
    const names = ['t[1 + 1]', 't[a - b]', 't[x[0]]', 't[PASSED y]', 't[a/b::c]']
    const records = names.map((name) => phase(`a.py::${name}`, 'failed', { message: 'a.py::t PASSED' }))
    const [report] = readPytestReports(pytestFiles([{ event: 'start', root: 'lib' }, ...records]))
    expect(report?.cases.map((test) => [test.suite, test.name])).toEqual(
      names.map((name) => ['lib/a.py', name]),
    )
  })

  it('fold phases, subtests and expected failures into one status', () => {
    const records = [
      phase('a.py::sub', 'failed', { part: true }),
      phase('a.py::sub', 'passed'),
      phase('a.py::setup', 'failed', { when: 'setup' }),
      phase('a.py::teardown', 'passed'),
      phase('a.py::teardown', 'failed', { when: 'teardown' }),
      phase('a.py::xfail', 'skipped'),
      phase('a.py::again', 'rerun'),
      phase('a.py::again', 'passed'),
      phase('a.py::only_parts', 'passed', { part: true }),
    ]
    const [report] = readPytestReports(pytestFiles(records))
    expect(statusesOf(report?.cases ?? [])).toEqual([
      ['sub', 'failed'],
      ['setup', 'errored'],
      ['teardown', 'errored'],
      ['xfail', 'skipped'],
      ['again', 'passed'],
    ])
  })

  it('are read as far as they go: broken lines, broken bytes, no end', () => {
    const files = pytestFiles([phase('a.py::t', 'passed')])
    files.delete('pytest/1/exit.json')
    const bytes = Buffer.concat([
      Buffer.from([0xe2, 0x28, 0x0a]),
      files.get('pytest/1/records.jsonl') ?? Buffer.alloc(0),
      Buffer.from('{"event":"phase","nodeid":"a.py::u","outcome":"pa'),
    ])
    files.set('pytest/1/records.jsonl', bytes)
    expect(readPytestReports(files)).toMatchObject([
      { exitCode: null, complete: false, cases: [{ name: 't', status: 'passed' }] },
    ])
  })

  it.each([
    ['two records', '{"code":1,"signal":null}\n{"code":0,"signal":null}\n'],
    ['no record at all', ''],
    ['a record of another shape', '{"code":"1"}'],
  ])('with %s of the end are not trusted: nothing passed, and no sentinel failed', (_, exit) => {
    const files = pytestFiles([
      phase('a.py::t', 'passed'),
      phase('a.py::s', 'failed'),
      { event: 'finish', status: 0 },
    ])
    files.set('pytest/1/exit.json', Buffer.from(exit))
    expect(readPytestReports(files)).toMatchObject([
      { exitCode: null, complete: false, cases: [{ status: 'errored' }, { status: 'errored' }] },
    ])
  })

  it('count a failed case as errored when the process ended with 0', () => {
    const files = pytestFiles([phase('a.py::t', 'failed')], { code: 0, signal: null })
    expect(readPytestReports(files)).toMatchObject([{ cases: [{ status: 'errored' }] }])
  })
})

describe('output of Go test binaries', () => {
  const M = '\x16'

  it('with marks counts only marked lines, also behind a test’s own text', () => {
    const output = [
      `${M}=== RUN   TestA`,
      `Hello${M}--- PASS: TestA (0.00s)`,
      `${M}=== RUN   TestB`,
      '--- PASS: TestB (0.00s)',
      `${M}=== RUN   TestB/a_b/c#01`,
      '    b_test.go:3: why',
      `${M}--- FAIL: TestB/a_b/c#01 (0.01s)`,
      `${M}--- FAIL: TestB (0.02s)`,
      `${M}FAIL`,
    ].join('\n')
    const { cases, complete } = parseGoOutput(output)
    expect(statusesOf(cases)).toEqual([
      ['TestA', 'passed'],
      ['TestB/a_b/c#01', 'failed'],
      ['TestB', 'failed'],
    ])
    expect(cases[1]).toMatchObject({ message: 'b_test.go:3: why', durationMs: 10 })
    expect(complete).toBe(true)
  })

  it('without marks takes a result behind text, of started tests only, and keeps two that disagree', () => {
    const output = [
      '=== RUN   TestA',
      'Hello--- PASS: TestA (0.00s)',
      '--- PASS: TestGhost (0.00s)',
      '=== RUN   TestB',
      '--- PASS: TestB (0.00s)',
      '--- FAIL: TestB (0.00s)',
      '    --- FAIL: TestB/never (0.00s)',
      'FAIL',
    ].join('\n')
    expect(statusesOf(parseGoOutput(output).cases)).toEqual([
      ['TestA', 'passed'],
      ['TestB', 'passed'],
      ['TestB', 'failed'],
    ])
  })

  it('a panic leaves no passed test behind, and no end', () => {
    const { cases, complete } = parseGoOutput(`${M}=== RUN   TestA\npanic: x\n`)
    expect(statusesOf(cases)).toEqual([['TestA', 'errored']])
    expect(complete).toBe(false)
  })
})

describe('libtest', () => {
  it('JSON ignores events inside captured output and takes those behind text', () => {
    const text = [
      '{ "type": "suite", "event": "started", "test_count": 3 }',
      '{ "type": "test", "event": "started", "name": "a::one" }',
      'noise{ "type": "test", "name": "a::one", "event": "failed", "stdout": "{ \\"type\\": \\"test\\", \\"name\\": \\"x\\", \\"event\\": \\"ok\\" }" }',
      '{ "type": "test", "name": "a::two", "event": "ignored", "message": "why" }',
      '{ "type": "test", "event": "started", "name": "a::three" }',
    ].join('\n')
    const { cases, complete } = parseLibtestJson(text)
    expect(statusesOf(cases)).toEqual([
      ['a::one', 'failed'],
      ['a::two', 'skipped'],
      ['a::three', 'errored'],
    ])
    expect(complete).toBe(false)
  })

  it('text keeps should_panic, reasons and doc-tests without lines; fakes and broken words are nothing', () => {
    const text = [
      'running 5 tests',
      'test a::one - should panic ... ok',
      'test a::two ... ignored, why',
      '\x1b[32mtest\x1b[0m src/lib.rs - add (line 12) ... \x1b[32mok\x1b[0m',
      'test src/lib.rs - add (line 20) - compile fail ... ok',
      'test broken ... o',
      'k',
      '',
      'failures:',
      '---- a::three stdout ----',
      'test fake ... ok',
      '',
      'test result: FAILED. 3 passed; 1 failed',
    ].join('\n')
    const { cases, complete } = parseLibtestText(text)
    expect(statusesOf(cases)).toEqual([
      ['a::one', 'passed'],
      ['a::two', 'skipped'],
      ['src/lib.rs - add', 'passed'],
      ['src/lib.rs - add - compile fail', 'passed'],
    ])
    expect(complete).toBe(true)
  })
})

describe('GoogleTest and ctest', () => {
  it('XML gives names with parameters, entities and CDATA decoded; a list gives nothing; a cut one has no end', () => {
    const xml = [
      '<?xml version="1.0"?><testsuites name="AllTests"><testsuite name="All/S">',
      '<testcase name="T/0" status="run" time="0.5" classname="All/S" />',
      '<testcase name="U" status="run" classname="S"><failure message="a &lt; b&#x0A;c" type=""><![CDATA[<testcase name="F" status="run" classname="S"/>]]></failure></testcase>',
      '<testcase name="V" status="run" result="skipped" classname="S"><skipped message="later"/></testcase>',
      '<testcase name="DISABLED_W" status="notrun" classname="S"/>',
      '<testcase name="Listed" file="a.cpp" line="3" classname="S"/>',
    ].join('\n')
    const cut = parseGtestXml(xml)
    expect(statusesOf(cut.cases)).toEqual([
      ['All/S.T/0', 'passed'],
      ['S.U', 'failed'],
      ['S.V', 'skipped'],
      ['S.DISABLED_W', 'skipped'],
    ])
    expect(cut.cases[1]?.message).toBe('a < b\nc')
    expect(cut.complete).toBe(false)
    expect(parseGtestXml(`${xml}</testsuite></testsuites>`).complete).toBe(true)
  })

  it('ctest’s JUnit says how a process ended', () => {
    const xml = [
      '<testsuite><testcase name="a" time="0.1" status="run"><system-out>x</system-out></testcase>',
      '<testcase name="b" status="fail"><failure message=""/></testcase>',
      '<testcase name="c" status="fail"><failure message="SEGFAULT"/></testcase>',
      '<testcase name="d" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/></testcase>',
      '<testcase name="e" status="notrun"><skipped message="Unable to find executable"/></testcase></testsuite>',
    ].join('')
    const ends = [...parseCtestJunit(xml)].map(([name, end]) => [name, end.status, end.exitCode, end.signal])
    expect(ends).toEqual([
      ['a', 'passed', 0, null],
      ['b', 'failed', 1, null],
      ['c', 'errored', null, 'SIGSEGV'],
      ['d', 'skipped', null, null],
      ['e', 'errored', null, null],
    ])
  })

  it('shows an executable that ended without its report as a process without cases', () => {
    const files = new Map([
      ['ctest/1-1/tests.json', Buffer.from('{"tests":[{"name":"parser","command":["/b/parser_test"]}]}')],
      ['ctest/1-1/junit.xml', Buffer.from('<testsuite><testcase name="parser" status="run"/></testsuite>')],
    ])
    expect(languageOf('cpp').readReports(files)).toMatchObject([
      { process: 'ctest:parser', exitCode: 0, cases: [{ suite: 'ctest', name: 'parser' }] },
      { process: 'gtest:parser_test', exitCode: 0, cases: [] },
    ])
  })

  it('a broken listing lists nothing', () => {
    expect(parseListing('{"tests": [{"name": 3}]}')).toEqual([])
    expect(parseListing('nonsense')).toEqual([])
  })
})

describe('every language', () => {
  it.each(['cpp', 'python', 'rust', 'go'] as const)('%s reads no reports as no processes', (id) => {
    expect(languageOf(id).readReports(new Map())).toEqual([])
  })
})
