import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { ReadWasm } from '../../languages/shared/syntax.ts'

const require = createRequire(import.meta.url)

/** Parser and grammars as their packages carry them. */
export const readWasm: ReadWasm = (name) =>
  readFile(
    require.resolve(
      name === 'runtime'
        ? 'web-tree-sitter/web-tree-sitter.wasm'
        : `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`,
    ),
  )
