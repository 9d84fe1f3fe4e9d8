import { describe, expect, it } from 'vitest'
import { languageOf } from '../../languages/index.ts'

const casesOf = (
  id: 'cpp' | 'python' | 'rust' | 'go',
  path: string,
  text: string,
): [string, number, number][] =>
  languageOf(id)
    .casesIn(path, text)
    .map((found) => [found.name, found.startLine, found.endLine])

describe('cases that stand literally in a file', () => {
  it('python: functions, methods of test classes, decorators; strings and helpers are none', () => {
    const text = [
      'import pytest',
      'TEXT = """',
      'def test_in_string(): pass',
      '"""',
      '@pytest.mark.parametrize(',
      '    "a", [1, 2],',
      ')',
      'def test_one(a):',
      '    def test_inner(): pass',
      '    assert a',
      '',
      'class TestGroup:',
      '    async def test_two(self):',
      '        x = (1,',
      '2)',
      '',
      '    def helper(self): pass',
      'class Other:',
      '    def test_no(self): pass',
      'def test_three(): pass  # end',
    ].join('\n')
    expect(casesOf('python', 'tests/test_a.py', text)).toEqual([
      ['test_one', 5, 10],
      ['TestGroup::test_two', 13, 15],
      ['test_three', 20, 20],
    ])
  })

  it('go: tests, examples and fuzz functions; comments, raw strings and TestMain are none', () => {
    const text = [
      'package a',
      '// func TestNo(t *testing.T) {}',
      'var s = `',
      'func TestRaw(t *testing.T) {}',
      '`',
      'func TestMain(m *testing.M) {}',
      'func Testify(t *testing.T) {}',
      'func TestYes(t *testing.T) {',
      "\tif r := '}'; r == '\"' {",
      '\t}',
      '}',
      'func ExampleYes() { }',
      'func FuzzYes(f *testing.F) { }',
    ].join('\n')
    expect(casesOf('go', 'a_test.go', text)).toEqual([
      ['TestYes', 8, 11],
      ['ExampleYes', 12, 12],
      ['FuzzYes', 13, 13],
    ])
  })

  it('rust: test attributes of any path, inline modules; strings, comments and cfg(test) helpers are none', () => {
    const text = [
      'const S: &str = r#"#[test] fn raw() {} }"#;',
      '/* #[test] /* nested */ fn no() {} */',
      'mod deep {',
      '    #[tokio::test(flavor = "multi_thread")]',
      "    async fn one<'a>() {",
      "        let _ = ('{', '\\'', \"}\");",
      '    }',
      '}',
      '#[cfg(test)]',
      'fn helper() {}',
      '#[test]',
      '#[should_panic(expected = "}")]',
      'fn two() { panic!("}") }',
    ].join('\n')
    expect(casesOf('rust', 'tests/a.rs', text)).toEqual([
      ['deep::one', 4, 7],
      ['two', 11, 13],
    ])
  })

  it('c++: the macros of GoogleTest; raw strings and comments are none', () => {
    const text = [
      'const char* s = R"x(',
      'TEST(No, Raw) { } )x";',
      '// TEST(No, Comment) {}',
      'TEST(Suite, One) {',
      "  int n = 1'000; char c = '}';",
      '}',
      'TEST_F(Fix,',
      '       Two) { }',
      'TEST_P(Par, Three) {}',
    ].join('\n')
    expect(casesOf('cpp', 'tests/a_test.cpp', text)).toEqual([
      ['Suite.One', 4, 6],
      ['Fix.Two', 7, 8],
      ['Par.Three', 9, 9],
    ])
  })
})

describe('classes of paths', () => {
  it.each([
    ['python', '.github/workflows/ci.yml', 'workflow'],
    ['python', 'tests/conftest.py', 'runner-control'],
    ['python', 'sitecustomize.py', 'runner-control'],
    ['python', 'arena_pytest.py', 'runner-control'],
    ['python', 'lib/arena_pytest/__init__.py', 'runner-control'],
    ['python', 'pytest/__init__.py', 'runner-control'],
    ['python', 'lib/pluggy/__init__.py', 'runner-control'],
    ['python', 'pluggy.py', 'runner-control'],
    ['python', '_pytest/config/__init__.py', 'runner-control'],
    ['python', 'json.py', 'runner-control'],
    ['python', 'argparse.pyc', 'runner-control'],
    ['python', 'json/__init__.py', 'runner-control'],
    ['python', 'pkg/json.py', 'source'],
    ['python', 'pkg/plugins/pytest/hooks.py', 'source'],
    ['python', 'tests/data.json', 'test'],
    ['python', 'pkg/core.py', 'source'],
    ['python', 'pyproject.toml', 'other'],
    ['go', 'a/b_test.go', 'test'],
    ['go', 'a/testdata/x.json', 'test'],
    ['go', 'go.mod', 'other'],
    ['rust', '.cargo/config.toml', 'runner-control'],
    ['rust', 'src/lib.rs', 'source'],
    ['rust', 'crates/a/tests/x.rs', 'test'],
    ['rust', 'src/parse/tests.rs', 'test'],
    ['rust', 'src/test.rs', 'test'],
    ['rust', 'crates/a/src/line_tests.rs', 'test'],
    ['rust', 'src/parse/tests/deep.rs', 'test'],
    ['rust', 'src/contests.rs', 'source'],
    ['rust', 'Cargo.toml', 'other'],
    ['cpp', 'tests/CMakeLists.txt', 'other'],
    ['cpp', 'tests/a_test.cpp', 'test'],
    ['cpp', 'src/latest.cpp', 'source'],
    ['cpp', 'CTestCustom.cmake', 'runner-control'],
  ] as const)('%s: %s is %s', (id, path, expected) => {
    expect(languageOf(id).classify(path)).toBe(expected)
  })

  it.each([
    ['python', 'tests/test_new.py', false, true],
    ['python', 'tests/helper.py', false, false],
    ['python', 'pkg/test_new.py', false, false],
    ['python', 'pkg/test_old.py', true, true],
    ['python', 'tests/conftest.py', true, false],
    ['go', 'pkg/a_test.go', false, true],
    ['go', 'pkg/a.go', true, false],
    ['rust', 'tests/new.rs', false, true],
    ['rust', 'tests/deep/new.rs', false, false],
    ['rust', 'src/lib.rs', true, false],
    ['cpp', 'tests/new_test.cpp', false, true],
    ['cpp', 'tests/harness.hpp', true, false],
    ['cpp', 'src/core.cpp', true, false],
  ] as const)('%s: a reviewer’s %s, existing: %s, taken: %s', (id, path, exists, taken) => {
    expect(languageOf(id).refusesTestFile(path, exists) === undefined).toBe(taken)
  })
})

describe('a comment that changes nothing', () => {
  it('stands at the end, in the file’s own marks and line ends', () => {
    expect(languageOf('go').withComment('a.go', 'package a', 'Kept.')).toBe('package a\n\n// Kept.\n')
    expect(languageOf('python').withComment('a.py', 'x = 1\r\n', 'Kept.')).toBe('x = 1\r\n\r\n# Kept.\r\n')
    expect(languageOf('python').withComment('data.json', '{}', 'Kept.')).toBeUndefined()
  })
})

describe('test items inside Rust sources', () => {
  const base = [
    'pub fn one() {}',
    '',
    '#[cfg(test)]',
    'use std::fmt;',
    '',
    '#[cfg(test)]',
    'mod tests {',
    '    #[test]',
    '    fn works() { assert!(true); }',
    '}',
    '',
  ].join('\n')
  const taken = (patched: string, path = 'src/lib.rs'): string =>
    languageOf('rust').withTestsOfBase(path, patched, base)

  it('are as base has them: changed ones back, missing ones in again, new ones out', () => {
    expect(taken(base.replace('assert!(true)', 'return'))).toBe(base)
    expect(taken(base.replace(/#\[cfg\(test\)\]\nmod tests[\s\S]*/, ''))).toContain(
      'fn works() { assert!(true); }',
    )
    const added = `${base}#[cfg(test)]\nmod more {\n    fn f() { let s = "}"; }\n}\n`
    expect(taken(added)).toBe(base)
  })

  it('leave product code alone, also beside and behind them', () => {
    const patched = base.replace('pub fn one() {}', 'pub fn one() { two() }\n#[cfg(not(test))]\nfn two() {}')
    expect(taken(patched)).toBe(patched)
    const any = 'pub fn one() {}\n#[cfg(any(test, feature = "x"))]\nfn kept() {}\n'
    expect(languageOf('rust').withTestsOfBase('src/a.rs', any, undefined)).toBe(any)
  })

  it('are none in files below tests/, and go from a new source', () => {
    const text = '#[test]\nfn a() {}\n'
    expect(languageOf('rust').withTestsOfBase('tests/a.rs', text, undefined)).toBe(text)
    expect(languageOf('rust').withTestsOfBase('src/new.rs', `fn f() {}\n${text}`, undefined)).toBe(
      'fn f() {}\n',
    )
  })
})
