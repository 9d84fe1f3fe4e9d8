import { describe, expect, it } from 'vitest'
import { openSyntax } from '../../languages/shared/syntax.ts'
import { readWasm } from '../../src/arena/read-wasm.ts'

describe('syntax trees', () => {
  it.each([
    ['cpp', '#define X(a) a\ntemplate <class T> T twice(T x) { return x + x; }\n'],
    ['python', 'def twice(x):\n    return x + x\n'],
    ['rust', 'pub fn twice(x: u32) -> u32 { x + x }\n'],
    ['go', 'package a\n\nfunc Twice(x int) int { return x + x }\n'],
  ] as const)('%s is read', async (grammar, text) => {
    const syntax = await openSyntax(readWasm)
    const found = await syntax.withTree(grammar, text, (root) => ({
      error: root.hasError,
      types: root.namedChildren.map((node) => node?.type),
    }))
    expect(found?.error).toBe(false)
    expect(found?.types.join()).toMatch(/function|template/)
  })

  it('a text that makes the parser run for long is given up, and the next one is read', async () => {
    const syntax = await openSyntax(readWasm)
    const hostile = `${'(['.repeat(200_000)}`
    await syntax.withTree('cpp', hostile, () => 'read')
    expect(await syntax.withTree('cpp', 'int x;\n', (root) => root.hasError)).toBe(false)
  })
})
