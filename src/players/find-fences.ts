/** A fenced block of an answer. */
export interface Fence {
  /** What stands behind the opening marks: `diff`, `python src/a.py`, `` . */
  readonly info: string
  /** The last line before it that is not blank; '' when there is none, or another block is between. */
  readonly lead: string
  readonly content: string
}

export interface Fences {
  readonly blocks: readonly Fence[]
  /** The block that was never closed; undefined when all are. */
  readonly unclosed: Fence | undefined
  /** The text outside of all blocks. */
  readonly prose: string
}

/**
 * Finds fenced blocks. A block is closed by a line of at least as many of the same marks, with the same indentation and
 * nothing else: a context line of a diff that shows a fence has one blank more, and stays inside.
 */
export function findFences(text: string): Fences {
  const blocks: Fence[] = []
  const prose: string[] = []
  let lead = ''
  let open: { indent: string; marks: string; info: string; lead: string; lines: string[] } | undefined
  const toFence = (block: NonNullable<typeof open>): Fence => ({
    info: block.info,
    lead: block.lead,
    content: block.lines.map((line) => `${line}\n`).join(''),
  })
  for (const line of text.split('\n')) {
    const match = /^( {0,3}|\t)(`{3,}|~{3,})/.exec(line)
    const [opening = '', indent = '', marks = ''] = match ?? []
    const rest = match === null ? '' : line.slice(opening.length)
    if (open) {
      const closes =
        match !== null && indent === open.indent && marks.startsWith(open.marks) && rest.trim() === ''
      if (closes) {
        blocks.push(toFence(open))
        open = undefined
        lead = ''
      } else {
        open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line)
      }
    } else if (match !== null && !(marks.startsWith('`') && rest.includes('`'))) {
      open = { indent, marks, info: rest.trim(), lead, lines: [] }
    } else {
      prose.push(line)
      if (line.trim() !== '') lead = line.trim()
    }
  }
  if (open) {
    // The last line is what the answer was cut in, not an end.
    const unclosed = toFence(open)
    return {
      blocks,
      unclosed: { ...unclosed, content: unclosed.content.slice(0, -1) },
      prose: prose.join('\n'),
    }
  }
  return { blocks, unclosed: undefined, prose: prose.join('\n') }
}
