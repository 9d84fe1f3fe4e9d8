import { cppOutline } from './cpp/outline.ts'
import { goOutline } from './go/outline.ts'
import type { Outline } from './outline.ts'
import { pythonOutline } from './python/outline.ts'
import { rustOutline } from './rust/outline.ts'

/** Languages whose files are code, but that are cut by lines alone. */
const byLines: Outline = {
  id: 'lines',
  endings: [
    ...['.java', '.kt', '.kts', '.scala', '.groovy', '.cs', '.fs', '.vb', '.swift', '.m', '.mm', '.dart'],
    ...['.js', '.jsx', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.vue', '.svelte'],
    ...[
      '.rb',
      '.php',
      '.pl',
      '.pm',
      '.lua',
      '.r',
      '.jl',
      '.ex',
      '.exs',
      '.erl',
      '.hs',
      '.ml',
      '.mli',
      '.clj',
      '.el',
    ],
    ...[
      '.sh',
      '.bash',
      '.zsh',
      '.ps1',
      '.s',
      '.asm',
      '.f',
      '.f90',
      '.zig',
      '.nim',
      '.d',
      '.v',
      '.sv',
      '.sql',
    ],
    ...['.proto', '.thrift', '.y', '.l', '.g4', '.cmake', '.bzl', '.in', '.tmpl'],
  ],
  definitions: {
    keywords: [
      'class',
      'interface',
      'struct',
      'enum',
      'trait',
      'module',
      'function',
      'def',
      'func',
      'fn',
      'type',
      'sub',
    ],
  },
}

/** A new language is one file and one line here. */
export const outlines: readonly Outline[] = [cppOutline, pythonOutline, rustOutline, goOutline, byLines]

/** What a file's name says of how it is cut; undefined for what is no code. */
export function outlineOf(path: string): Outline | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return byEnding.get(name.slice(name.lastIndexOf('.')).toLowerCase())
}

const byEnding: ReadonlyMap<string, Outline> = new Map(
  outlines.flatMap((outline) => outline.endings.map((ending) => [ending, outline] as const)),
)
