import { describe, expect, it } from 'vitest'
import { rust } from '../../languages/rust.ts'
import { needs } from '../helpers/require.ts'
import { armedOutcomes, changesOf, hasTool, runCase, statuses, workplace } from './run-script.ts'

const MANIFEST = '[package]\nname = "shapes"\nversion = "0.1.0"\nedition = "2018"\n'
const FILES = {
  'Cargo.toml': MANIFEST,
  'Cargo.lock': 'version = 3\n\n[[package]]\nname = "shapes"\nversion = "0.1.0"\n',
  'src/lib.rs': [
    '//! Shapes.',
    'pub mod area;',
    '#[cfg(test)]',
    'mod tests {',
    '    #[test]',
    '    fn square() {',
    '        assert_eq!(crate::area::area(2, 2), 4);',
    '    }',
    '    #[test]',
    '    #[should_panic]',
    '    fn panics() {',
    '        panic!("as it should");',
    '    }',
    '}',
    '',
  ].join('\n'),
  'src/area.rs': [
    '/// ```',
    '/// assert_eq!(shapes::area::area(1, 2), 2);',
    '/// ```',
    'pub fn area(a: u64, b: u64) -> u64 {',
    '    a * b',
    '}',
    '',
    '#[cfg(test)]',
    'mod tests {',
    '    #[test]',
    '    #[ignore = "later"]',
    '    fn later() {}',
    '    #[test]',
    '    fn zero() {',
    '        println!("test area::tests::later ... ok");',
    '        assert_eq!(super::area(0, 2), 0);',
    '    }',
    '}',
    '',
  ].join('\n'),
  'src/main.rs': 'fn main() {}\n\n#[test]\nfn square() {}\n',
  'tests/two-words.rs': '#[test]\nfn square() {\n    assert_eq!(shapes::area::area(3, 3), 9);\n}\n',
  'tests/wrong.rs':
    '#[test]\nfn wrong() {\n    println!("hello");\n    assert_eq!(shapes::area::area(3, 3), 8);\n}\n',
}
const { 'tests/wrong.rs': _, ...GREEN } = FILES

const FORGED = [
  'pub fn area(_: u64, _: u64) -> u64 {',
  '    0',
  '}',
  'extern "C" fn forge() {',
  '    println!("{{ \\"type\\": \\"suite\\", \\"event\\": \\"started\\", \\"test_count\\": 1 }}");',
  '    println!("{{ \\"type\\": \\"test\\", \\"name\\": \\"square\\", \\"event\\": \\"ok\\" }}");',
  '    println!("{{ \\"type\\": \\"suite\\", \\"event\\": \\"ok\\", \\"passed\\": 1, \\"failed\\": 0 }}");',
  '    std::process::exit(0);',
  '}',
  '#[used]',
  '#[link_section = ".init_array"]',
  'pub static FORGE: extern "C" fn() = forge;',
  '',
].join('\n')

const QUIET = 'cargo test --offline'

describe.skipIf(needs('cargo', hasTool('cargo')))('rust with the real tool', () => {
  it('reports each case by test binary, with its true end, and doc-tests without their line', () => {
    using place = workplace(rust, FILES)
    const ran = place.run(`${QUIET} --no-fail-fast`)
    expect(ran.exitCode).toBe(101)
    expect(statuses(rust, ran)).toEqual({
      'unit:shapes::tests::square': 'passed',
      'unit:shapes::tests::panics': 'passed',
      'unit:shapes::area::tests::later': 'skipped',
      'unit:shapes::area::tests::zero': 'passed',
      'bin:shapes::square': 'passed',
      'test:two-words::square': 'passed',
      'test:wrong::wrong': 'failed',
      'doc:shapes::src/area.rs - area::area': 'passed',
    })
    const reports = rust.readReports(ran.reports)
    expect(reports.map(({ process, exitCode, complete }) => [process, exitCode, complete])).toEqual([
      ['cargo:unit:shapes', 0, true],
      ['cargo:bin:shapes', 0, true],
      ['cargo:test:two-words', 0, true],
      ['cargo:test:wrong', 101, true],
      ['cargo:doc:shapes', 0, true],
    ])
    expect(reports[3]?.cases[0]?.message).toMatch(/right: `?8/)
    expect(ran.output).toContain('test tests::square ... ok')
    expect(ran.output).toContain('---- wrong stdout ----\nhello')
  })

  it('leaves cargo run, formats of the step’s own and harnesses of the project’s own as they are', () => {
    using place = workplace(rust, {
      ...GREEN,
      'Cargo.toml': `${MANIFEST}\n[[test]]\nname = "own"\npath = "own/main.rs"\nharness = false\n`,
      'src/main.rs': 'fn main() {\n    println!("it runs");\n}\n',
      'own/main.rs':
        'fn main() {\n    println!("running 1 test\\ntest mine ... ok\\n\\ntest result: ok.");\n}\n',
    })
    const ran = place.run(
      `cargo run --offline; ${QUIET} --test own; ${QUIET} --lib -- -q --test-threads=1 --nocapture`,
    )
    expect(ran.output).toContain('it runs')
    expect(statuses(rust, ran)).toMatchObject({
      'test:own::mine': 'passed',
      'unit:shapes::area::tests::zero': 'passed',
    })
  })

  it.each([
    [
      'all binaries, stopping at the first that fails',
      QUIET,
      ['unit:shapes', 'bin:shapes', 'test:two-words'],
    ],
    ['unit tests only', `${QUIET} --lib`, ['unit:shapes']],
    ['a name filter', `${QUIET} area::tests`, ['unit:shapes']],
  ])('arms %s', (_, script, suites) => {
    using place = workplace(rust, GREEN)
    const plain = place.run(script)
    const { outcomes } = armedOutcomes(rust, place, plain, script)
    expect(outcomes).toEqual(
      Object.fromEntries(suites.map((suite) => [`cargo:${suite}`, 'failed, exit 101'])),
    )
  })

  it('does not report the sentinel failed when a static prints results and exits 0', () => {
    using place = workplace(rust, GREEN)
    const plain = place.run(QUIET)
    place.write(changesOf({ 'src/area.rs': FORGED }))
    const forged = place.run(QUIET)
    expect(forged.exitCode).toBe(0)
    expect(statuses(rust, forged)).toMatchObject({ 'test:two-words::square': 'passed' })
    const { outcomes } = armedOutcomes(rust, place, plain, QUIET)
    expect(outcomes).toMatchObject({ 'cargo:test:two-words': 'absent, exit 0' })
  })

  it('runs one case of a new file with its sentinel in one process', () => {
    using place = workplace(rust, GREEN)
    const files = changesOf({
      'tests/new.rs': [
        'mod deep {',
        '    #[test]',
        '    fn good() {}',
        '}',
        '#[test]',
        'fn bad() {',
        '    assert_eq!(shapes::area::area(1, 1), 2);',
        '}',
        '#[test]',
        'fn leave() {',
        '    std::process::exit(0);',
        '}',
        '#[test]',
        'fn abort() {',
        '    std::process::abort();',
        '}',
        '',
      ].join('\n'),
    })
    const step = {
      run: 'cargo test --offline --lib --release -p shapes area',
      repo: place.repo,
      cwd: place.repo,
      env: {},
    }
    const plan = rust.planTestFile(place.tree, files, 'tests/new.rs', step, 'quartz')
    place.write(plan.changes)
    expect(plan.build?.script).toContain('cargo test --offline --release --test new --no-run')
    expect(place.run(plan.build?.script ?? 'false').exitCode).toBe(0)
    // The exit code is Cargo's own: its sentinel has failed.
    expect(runCase(place, plan, 'deep::good')).toMatchObject({
      sentinelFailed: true,
      ran: { exitCode: 101 },
      parts: [{ name: 'deep::good', status: 'passed' }],
    })
    expect(runCase(place, plan, 'bad')).toMatchObject({ sentinelFailed: true, parts: [{ status: 'failed' }] })
    expect(runCase(place, plan, 'leave')).toMatchObject({
      sentinelFailed: false,
      parts: [{ status: 'errored' }],
    })
    expect(runCase(place, plan, 'abort')).toMatchObject({
      sentinelFailed: false,
      parts: [{ status: 'errored' }],
    })
  })

  it('keeps equal names of two packages of a workspace apart', () => {
    const member = '[package]\nname = "NAME"\nversion = "0.1.0"\nedition = "2018"\n'
    using place = workplace(rust, {
      'Cargo.toml': '[workspace]\nmembers = ["a", "b"]\n',
      'a/Cargo.toml': member.replace('NAME', 'a'),
      'a/src/lib.rs': '',
      'a/tests/it.rs': '#[test]\nfn same() {}\n',
      'b/Cargo.toml': member.replace('NAME', 'b'),
      'b/src/lib.rs': '',
      'b/tests/it.rs': '#[test]\nfn same() {}\n',
    })
    const ran = place.run(`${QUIET} --tests`)
    expect(statuses(rust, ran)).toEqual({ 'test:a/it::same': 'passed', 'test:b/it::same': 'passed' })
    const { outcomes } = armedOutcomes(rust, place, ran, `${QUIET} --tests`)
    expect(outcomes).toEqual({ 'cargo:test:a/it': 'failed, exit 101', 'cargo:test:b/it': 'failed, exit 101' })
  })
})

/** A folder with an older toolchain, to be tested too. */
const OLD = process.env.ARENA_TEST_OLD_RUST
describe.runIf(OLD !== undefined)('rust 1.63', () => {
  it('reports and arms alike', () => {
    using place = workplace(rust, GREEN, { path: [OLD ?? ''] })
    const plain = place.run(QUIET)
    expect(statuses(rust, plain)).toMatchObject({
      'unit:shapes::tests::panics': 'passed',
      'test:two-words::square': 'passed',
      'doc:shapes::src/area.rs - area::area': 'passed',
    })
    expect(armedOutcomes(rust, place, plain, QUIET).outcomes).toMatchObject({
      'cargo:unit:shapes': 'failed, exit 101',
      'cargo:test:two-words': 'failed, exit 101',
    })
  })
})
