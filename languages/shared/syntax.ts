import { Language, type Node, Parser } from 'web-tree-sitter'

export type { Node } from 'web-tree-sitter'

/** Grammars that are at hand; C is read with C++'s. */
export type Grammar = 'cpp' | 'python' | 'rust' | 'go'

/** The bytes of a WebAssembly module: `runtime` is the parser's own, the others are grammars. */
export type ReadWasm = (name: 'runtime' | Grammar) => Promise<Uint8Array>

export interface Syntax {
  /**
   * Parses `text`, gives the root to `use`, and frees the tree: no node may be kept. A tree with errors is still given:
   * see Node.hasError. Undefined when the parser gave up after its share of steps, which depends on the text alone.
   */
  withTree<Result>(grammar: Grammar, text: string, use: (root: Node) => Result): Promise<Result | undefined>
}

/** The parser asks this often, each time after a fixed number of steps of its own, whether to go on: a few seconds. */
const MOST_ASKED = 20_000

let runtime: Promise<void> | undefined

/** Opens the parser. Grammars are loaded when they are first asked for. */
export async function openSyntax(readWasm: ReadWasm): Promise<Syntax> {
  runtime ??= readWasm('runtime').then((wasmBinary) => Parser.init({ wasmBinary }))
  await runtime
  const parsers = new Map<Grammar, Promise<Parser>>()
  const load = async (grammar: Grammar): Promise<Parser> =>
    new Parser().setLanguage(await Language.load(await readWasm(grammar)))
  return {
    async withTree(grammar, text, use) {
      const loading = parsers.get(grammar) ?? load(grammar)
      parsers.set(grammar, loading)
      const parser = await loading
      let asked = 0
      const tree = parser.parse(text, null, { progressCallback: () => ++asked > MOST_ASKED })
      if (!tree) {
        parser.reset()
        return undefined
      }
      try {
        return use(tree.rootNode)
      } finally {
        tree.delete()
      }
    },
  }
}
