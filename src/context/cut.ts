import type { Outline } from '../../languages/outline.ts'
import type { Node, Syntax } from '../../languages/shared/syntax.ts'
import { type LineRange, lineStarts, windowsOf } from './windows.ts'

/** A range of a file that may be shown by itself, with the heads of what it lies in, outermost first. */
export interface Chunk extends LineRange {
  readonly scopes: readonly string[]
}

export interface CutSizes {
  /** Lines of a chunk at most; longer nodes are cut inside. */
  readonly most: number
  /** Chunks below this take in what follows. */
  readonly least: number
}

export const CUT_SIZES: CutSizes = { most: 40, least: 12 }

/** Lines and characters of a head that are shown. */
const HEAD_LINES = 3
const HEAD_CHARACTERS = 200

type Tree = NonNullable<Outline['tree']>

interface Span extends LineRange {
  readonly scopes: readonly string[]
  /** Belongs to what follows. */
  readonly leading: boolean
  /** Begins something that is long enough to stand by itself. */
  readonly begins: boolean
}

/** What stands before a scope's body: its first lines. */
function headOf(node: Node, lines: readonly string[]): string {
  const first = node.startPosition.row
  const body = node.childForFieldName('body')
  const bodyRow = body ? body.startPosition.row : first
  const beforeBody =
    body && lines[bodyRow]?.slice(0, body.startPosition.column).trim() === '' ? bodyRow - 1 : bodyRow
  const last = Math.max(first, Math.min(beforeBody, first + HEAD_LINES - 1))
  return lines
    .slice(first, last + 1)
    .join('\n')
    .slice(0, HEAD_CHARACTERS)
}

/** The rows of a node's children, those that are too long cut further. */
function spansOf(
  node: Node,
  tree: Tree,
  most: number,
  lines: readonly string[],
  scopes: readonly string[],
  spans: Span[],
): void {
  for (const child of node.children) {
    if (!child) continue
    const start = child.startPosition.row + 1
    // A node that ends with its line ends at the start of the next one.
    const end =
      child.endPosition.column === 0 ? Math.max(start, child.endPosition.row) : child.endPosition.row + 1
    if (end - start + 1 > most && child.childCount > 0) {
      const isScope = tree.scopes.includes(child.type)
      const inner = isScope ? [...scopes, headOf(child, lines)] : scopes
      const first = spans.length
      spansOf(child, tree, most, lines, inner, spans)
      const begun = spans[first]
      if (isScope && begun) spans[first] = { ...begun, scopes, begins: true }
    } else spans.push({ start, end, scopes, leading: tree.leading.includes(child.type), begins: false })
  }
}

/** Spans as ranges that cover the file in order, without a gap or overlap. */
function joinSpans(spans: readonly Span[], lines: number, { most, least }: CutSizes): Chunk[] {
  const chunks: { start: number; end: number; scopes: readonly string[] }[] = []
  let open: { start: number; end: number; scopes: readonly string[]; leading: boolean } | undefined
  const close = (): void => {
    if (open) chunks.push({ start: open.start, end: open.end, scopes: open.scopes })
    open = undefined
  }
  let next = 1
  for (const span of spans) {
    if (span.end < next) continue
    const start = next
    const size = span.end - start + 1
    const joined: number = open ? span.end - open.start + 1 : size
    const openSize: number = open ? open.end - open.start + 1 : 0
    const isSmall = open && (open.leading || openSize < least || size < least / 3)
    const isApart = open && !open.leading && (span.begins || (span.leading && openSize >= least))
    if (open && isSmall && !isApart && joined <= most) {
      open.end = span.end
      open.leading = span.leading
    } else {
      close()
      open = { start, end: span.end, scopes: span.scopes, leading: span.leading }
    }
    next = span.end + 1
  }
  if (open) open.end = Math.max(open.end, lines)
  close()
  return chunks.length === 0 && lines > 0 ? [{ start: 1, end: lines, scopes: [] }] : chunks
}

/** Chunks that are still too long, because no node ends inside them, are cut by lines. */
const withoutLong = (chunks: readonly Chunk[], most: number): Chunk[] =>
  chunks.flatMap((chunk) =>
    chunk.end - chunk.start < most * 1.5
      ? [chunk]
      : windowsOf(chunk.end - chunk.start + 1, most, most).map((window) => ({
          start: chunk.start + window.start - 1,
          end: chunk.start + window.end - 1,
          scopes: chunk.scopes,
        })),
  )

/**
 * Cuts a file into chunks that cover it: along its syntax tree where there is a grammar, also around errors; else by lines.
 * The same bytes and outline give the same chunks.
 */
export async function cutFile(
  syntax: Syntax,
  outline: Outline,
  bytes: Buffer,
  sizes: CutSizes = CUT_SIZES,
): Promise<readonly Chunk[]> {
  const count = lineStarts(bytes).length - 1
  const byLines = (): Chunk[] =>
    windowsOf(count, sizes.most, sizes.most).map((window) => ({ ...window, scopes: [] }))
  const { tree } = outline
  if (!tree) return byLines()
  const text = bytes.toString('utf8')
  const lines = text.split('\n')
  const chunks = await syntax.withTree(tree.grammar, text, (root) => {
    const spans: Span[] = []
    spansOf(root, tree, sizes.most, lines, [], spans)
    return withoutLong(joinSpans(spans, count, sizes), sizes.most)
  })
  return chunks ?? byLines()
}
