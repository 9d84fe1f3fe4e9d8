import { describe, expect, it } from 'vitest'
import { generationId } from '../../src/players/generation-id.ts'
import { RETRY } from '../../src/players/prompts/retry.ts'
import { type PromptInput, promptText, renderPrompt } from '../../src/players/render-prompt.ts'
import { digestOf } from '../../src/schema/canonical.ts'

const INPUT: Omit<PromptInput, 'kind'> = {
  repository: 'example/lib',
  language: 'Rust',
  issue: 'Parsing "{x}" fails.\n',
  context: '',
  workflow: '.github/workflows/ci.yml',
  conventions: 'Tests live in tests/.',
  caps: { cases: 3, addedLines: 90 },
}

const textOf = (kind: 'patch' | 'tests'): string => promptText(renderPrompt({ ...INPUT, kind }).messages)

describe.each(['patch', 'tests'] as const)('the prompt for %s', (kind) => {
  it('holds the issue as written, the conventions and the answer format', () => {
    const text = textOf(kind)
    expect(text).toContain('Parsing "{x}" fails.')
    expect(text).toContain('Tests live in tests/.')
    expect(text).toContain('one unified diff in a fenced block')
    expect(text).toContain('offline')
    expect(text).toContain('(no files are shown)')
    expect(text.replace('{x}', '')).not.toMatch(/\{[a-zA-Z]+\}/)
  })
})

it('tells a reviewer the caps, and other caps are another version', () => {
  expect(textOf('tests')).toContain('At most 3 tests and 90 added lines')
  const version = (cases: number) =>
    renderPrompt({ ...INPUT, kind: 'tests', caps: { cases, addedLines: 90 } }).version
  expect(version(3)).not.toBe(version(4))
})

it('has another version whenever its text is another', () => {
  // A changed digest asks for a new version in the prompt's file, and then for the new digest here.
  const digests = (['patch', 'tests'] as const).map((kind) => {
    const { version } = renderPrompt({ ...INPUT, kind })
    return [version, digestOf(textOf(kind) + RETRY.user).slice(0, 16)]
  })
  expect(digests).toEqual([
    ['patch-blind-1', '10e0b33fa4151d09'],
    ['tests-blind-1/3/90', '59777df2a257606b'],
  ])
})

it('names a generation by everything that it depends on', () => {
  const identity = {
    task: 'a',
    competitor: 'b',
    settings: 'c',
    kind: 'patch',
    promptVersion: 'd',
    statement: 'e',
    context: 'f',
    parent: null,
    repeat: 0,
  } as const
  const ids = [
    generationId(identity),
    ...Object.keys(identity).map((key) =>
      generationId({ ...identity, [key]: key === 'repeat' ? 1 : 'other' }),
    ),
  ]
  expect(new Set(ids).size).toBe(10)
  expect(generationId({ ...identity })).toBe(ids[0])
})
