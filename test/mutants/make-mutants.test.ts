import { describe, expect, it } from 'vitest'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { readWasm } from '../../src/arena/read-wasm.ts'
import { makeMutants } from '../../src/mutants/make-mutants.ts'
import { toAppliedChanges } from '../../src/schema/applied.ts'
import type { LanguageId } from '../../src/schema/language.ts'
import type { Mutant } from '../../src/schema/mutant.ts'
import { viewOf } from '../patch/template.ts'

const written = (files: Readonly<Record<string, string>>) =>
  toAppliedChanges(
    Object.entries(files).map(([path, text]) => ({
      change: 'write',
      path,
      mode: '100644',
      contentBase64: Buffer.from(text).toString('base64'),
    })),
  )

const mutantsOf = async (
  language: LanguageId,
  base: Readonly<Record<string, string>>,
  golden: Readonly<Record<string, string>>,
): Promise<readonly Mutant[]> =>
  makeMutants({
    base: viewOf(base),
    golden: written(golden),
    language,
    isSource: (path) => !path.endsWith('.md') && !path.startsWith('tests/'),
    syntax: await openSyntax(readWasm),
  })

/** `operator: golden → instead`, sorted. */
const shown = (mutants: readonly Mutant[]): readonly string[] =>
  mutants.map(({ operator, before, after }) => `${operator}: ${before.trim()} → ${after.trim()}`).sort()

const textIn = (mutant: Mutant, path: string): string => {
  const change = mutant.changes.changes.find((other) => other.path === path)
  return change?.change === 'write' ? Buffer.from(change.contentBase64, 'base64').toString('utf8') : ''
}

describe('mutants of a new function', () => {
  it.each<[LanguageId, string, string, readonly string[]]>([
    [
      'python',
      'a.py',
      'def f(a, b):\n    """Says 1."""\n    if a < 2:\n        raise E(a, k=b)\n    a += 3\n    g(a, b)\n    return a if b else -1\n',
      [
        'negated-condition: a < 2 → not (a < 2)',
        'negated-condition: b → not (b)',
        'off-by-one: 1 → 2',
        'off-by-one: 2 → 3',
        'off-by-one: 3 → 4',
        'off-by-one: < → <=',
        'removed-statement: a += 3 → pass',
        'removed-statement: g(a, b) → pass',
        'removed-statement: raise E(a, k=b) → pass',
        'swapped-arguments: a, b → b, a',
      ],
    ],
    [
      'go',
      'a.go',
      'package a\n\nfunc f(a, b int) int {\n\tif a >= 2 && b != 0 {\n\t\tg(a, b...)\n\t}\n\tfor i := 0; i < b; i++ {\n\t\ta = h(b, a)\n\t}\n\treturn a\n}\n',
      [
        'negated-condition: a >= 2 && b != 0 → !(a >= 2 && b != 0)',
        'off-by-one: 0 → 1',
        'off-by-one: 0 → 1',
        'off-by-one: 2 → 3',
        'off-by-one: < → <=',
        'off-by-one: >= → >',
        'removed-statement: a = h(b, a) → ',
        'removed-statement: g(a, b...) → ',
        'swapped-arguments: b, a → a, b',
      ],
    ],
    [
      'rust',
      'a.rs',
      'fn f(a: u32, b: u32) -> u32 {\n    if let Some(c) = g(a) {\n        return c;\n    }\n    if a > b {\n        h(b, a);\n    }\n    x[..b].len() + 1u32\n}\n',
      [
        'negated-condition: a > b → !(a > b)',
        'off-by-one: .. → ..=',
        'off-by-one: > → >=',
        'removed-statement: h(b, a); → ',
        'swapped-arguments: b, a → a, b',
      ],
    ],
    [
      'cpp',
      'a.cpp',
      'int f(int a, int b) {\n    if (a <= b) g(a, b);\n    for (int i = 0; i < b; ++i) a = i;\n    return a > 1 ? a : b;\n}\n',
      [
        'negated-condition: a <= b → !(a <= b)',
        'negated-condition: a > 1 → !(a > 1)',
        'off-by-one: 0 → 1',
        'off-by-one: 1 → 2',
        'off-by-one: < → <=',
        'off-by-one: <= → <',
        'off-by-one: > → >=',
        'removed-statement: a = i; → ;',
        'removed-statement: g(a, b); → ;',
        'swapped-arguments: a, b → b, a',
      ],
    ],
  ])('%s', async (language, path, text, expected) => {
    const found = shown(await mutantsOf(language, {}, { [path]: text }))
    // The words of a docstring and the name of an argument are nobody's business.
    expect(found).toEqual([...expected].sort())
  })
})

describe('mutants of a changed file', () => {
  const BASE =
    'def far(a):\n    return a < 1\n\n\ndef f(a):\n    if a > 5:\n        return 1\n    return a\n\n\nX = 1\n'
  const GOLDEN = BASE.replace('return 1', 'return 2').replace('X = 1', 'X = 7')
  const make = () => mutantsOf('python', { 'a.py': BASE }, { 'a.py': GOLDEN, 'README.md': 'if a > 5:\n' })

  it('are in the changed lines first, then in the functions around them, and nowhere else', async () => {
    const mutants = await make()
    expect(mutants.map(({ operator, line }) => `${operator} ${line}`)).toEqual([
      'negated-condition 6',
      'off-by-one 7',
      'removed-statement 11',
      'reverted-hunk 7',
      'off-by-one 11',
      'reverted-hunk 11',
      'off-by-one 6',
      'off-by-one 6',
    ])
    expect(mutants.some(({ before }) => before.includes('far'))).toBe(false)
  })
  it('put one hunk back and leave the others', async () => {
    const reverted = (await make()).filter(({ operator }) => operator === 'reverted-hunk')
    expect(reverted.map((mutant) => textIn(mutant, 'a.py'))).toEqual([
      BASE.replace('X = 1', 'X = 7'),
      BASE.replace('return 1', 'return 2'),
    ])
  })
  it('keep what golden does to other files, and come out the same each time', async () => {
    const mutants = await make()
    expect(mutants.every((mutant) => textIn(mutant, 'README.md') !== '')).toBe(true)
    expect(await make()).toEqual(mutants)
    expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length)
  })
  it('are never golden or base: the only hunk is not put back', async () => {
    const golden = BASE.replace('return 1', 'return 2')
    const mutants = await mutantsOf('python', { 'a.py': BASE }, { 'a.py': golden })
    const texts = mutants.map((mutant) => textIn(mutant, 'a.py'))
    expect(texts.length).toBeGreaterThan(0)
    expect(texts).not.toContain(BASE)
    expect(texts).not.toContain(golden)
  })
  it('are made of text that parses, and none of other files', async () => {
    expect(await mutantsOf('python', {}, { 'a.py': 'def f(:\n    return 1 < 2\n' })).toEqual([])
    expect(await mutantsOf('python', {}, { 'tests/a.py': 'x = 1 < 2\n' })).toEqual([])
  })
})
