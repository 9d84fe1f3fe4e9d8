import { type RustItem, testItems } from './items.ts'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The patched source with its test items as base has them: changed ones back, new ones out, missing ones in again (at the
 * file's end, where their module is gone or they stood there). Test code is the judge's, not the patch's.
 */
export function withTestItemsOfBase(patched: string, base: string | undefined): string {
  const ours = keyed(testItems(patched))
  const theirs = keyed(base === undefined ? [] : testItems(base))
  const edits: Edit[] = []
  for (const [key, item] of ours) {
    const original = theirs.get(key)
    if (original === undefined || base === undefined) edits.push(removal(patched, item))
    else edits.push({ start: item.start, end: item.end, text: base.slice(original.start, original.end) })
  }
  const kept = edits
    .sort((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), patched)
  const missing = [...theirs].filter(([key, item]) => !ours.has(key) && item.modules.length === 0)
  return missing.reduce(
    (text, [, item]) =>
      `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}\n${base?.slice(item.start, item.end)}\n`,
    kept,
  )
}

function keyed(items: readonly RustItem[]): Map<string, RustItem> {
  const map = new Map<string, RustItem>()
  const seen = new Map<string, number>()
  for (const item of items) {
    const key = [...item.modules, item.kind, item.name].join(' ')
    const count = (seen.get(key) ?? 0) + 1
    seen.set(key, count)
    map.set(`${key} ${count}`, item)
  }
  return map
}

/** The item with its line, when it has the line for itself. */
function removal(text: string, item: RustItem): Edit {
  const lineStart = text.lastIndexOf('\n', item.start - 1) + 1
  const lineEnd = text.indexOf('\n', item.end)
  const alone =
    text.slice(lineStart, item.start).trim() === '' &&
    (lineEnd === -1 || text.slice(item.end, lineEnd).trim() === '')
  return alone
    ? { start: lineStart, end: lineEnd === -1 ? text.length : lineEnd + 1, text: '' }
    : { start: item.start, end: item.end, text: '' }
}
