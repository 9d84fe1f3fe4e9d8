import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outlineOf } from '../../languages/outlines.ts'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { readWasm } from '../../src/arena/read-wasm.ts'
import { type Chunk, cutFile } from '../../src/context/cut.ts'

const syntax = openSyntax(readWasm)
const SIZES = { most: 8, least: 3 }

async function cut(path: string, text: string): Promise<readonly Chunk[]> {
  const outline = outlineOf(path)
  if (!outline) throw new Error(`${path} has no outline`)
  return cutFile(await syntax, outline, Buffer.from(text), SIZES)
}

const steps = (count: number, indent: string, end: string): string =>
  Array.from({ length: count }, (_, at) => `${indent}step_${at}(value)${end}\n`).join('')

/** A long function inside of something, in each language, with a remark before it. */
const LONG: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a.py',
    `import os\n\n\nclass Queue:\n    size = 1\n\n    # Takes all out.\n    @cached\n    def drain(self, value):\n${steps(12, '        ', '')}`,
    ['class Queue:', '    def drain(self, value):'],
  ],
  [
    'a.go',
    `package a\n\nimport "os"\n\n// Drain takes all out.\nfunc (q *Queue) Drain(value int) {\n${steps(12, '\t', '')}}\n`,
    ['func (q *Queue) Drain(value int) {'],
  ],
  [
    'a.rs',
    `use std::fmt;\n\n#[derive(Debug)]\nstruct Queue;\n\nimpl Queue {\n    /// Takes all out.\n    #[inline]\n    pub fn drain(&mut self, value: u8) {\n${steps(12, '        ', ';')}    }\n}\n`,
    ['impl Queue {', '    pub fn drain(&mut self, value: u8) {'],
  ],
  [
    'a.hpp',
    `#pragma once\n\nnamespace inkwell {\ntemplate <class T>\nclass Queue {\n  // Takes all out.\n  void drain(T value) {\n${steps(12, '    ', ';')}  }\n};\n}\n`,
    ['namespace inkwell {', 'class Queue {', '  void drain(T value) {'],
  ],
  [
    'a.c',
    `#define X(a) a\n\nstatic int\ndrain(int value)\n{\n${steps(12, '  ', ';')}  return 0;\n}\n`,
    ['static int\ndrain(int value)'],
  ],
]

describe('a file is cut along its syntax', () => {
  it.each(LONG)('%s: a long function says inside of what its lines are', async (path, text, scopes) => {
    const chunks = await cut(path, text)
    expect(chunks.at(-1)?.scopes).toEqual(scopes)
    expect(Math.max(...chunks.map(({ start, end }) => end - start + 1))).toBeLessThanOrEqual(12)
  })
  it.each(LONG.slice(0, 4))('%s: a remark goes with what it is about', async (path, text) => {
    const lines = text.split('\n')
    const remark = lines.findIndex((line) => /takes all out/i.test(line)) + 1
    const head =
      lines.findIndex((line) => /drain/i.test(line) && !/takes/i.test(line) && !/^\/\//.test(line)) + 1
    const chunk = (await cut(path, text)).find(({ start, end }) => start <= remark && remark <= end)
    expect(chunk?.end).toBeGreaterThanOrEqual(head)
  })
  it('covers every line once and in order, whatever the text', async () => {
    const line = fc.constantFrom(
      '{',
      '}',
      'def f():',
      'class A {',
      'fn g() {',
      '  x = 1;',
      '',
      '// c',
      '#if A',
      '"""',
      '  (',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('a.py', 'a.go', 'a.rs', 'a.cc', 'a.js'),
        fc.array(line, { maxLength: 60 }),
        fc.boolean(),
        async (path, lines, endsWithLineFeed) => {
          const text = lines.join('\n') + (endsWithLineFeed ? '\n' : '')
          let next = 1
          for (const { start, end } of await cut(path, text)) {
            expect(start).toBe(next)
            expect(end).toBeGreaterThanOrEqual(start)
            next = end + 1
          }
          const count = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
          expect(next - 1).toBe(count)
        },
      ),
      { numRuns: 150, seed: 3 },
    )
  })
})
