/** A piece of an XML document. An empty element gives an open and a close. */
export type XmlPiece =
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string }

const PIECE =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<[?!][^>]*>|<\/([\w:.-]+)\s*>|<([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** The pieces of a report, as far as it is well-formed: a cut or forged one ends there. Entities are not expanded further. */
export function* xmlPieces(text: string): Generator<XmlPiece> {
  PIECE.lastIndex = 0
  let at = 0
  while (at < text.length) {
    PIECE.lastIndex = at
    const match = PIECE.exec(text)
    if (!match) return
    at += match[0].length
    const [, data, closed, opened, attributes, empty, plain] = match
    if (data !== undefined) yield { kind: 'text', text: data }
    else if (plain !== undefined) yield { kind: 'text', text: decode(plain) }
    else if (closed !== undefined) yield { kind: 'close', name: closed }
    else if (opened !== undefined) {
      yield { kind: 'open', name: opened, attributes: readAttributes(attributes ?? '') }
      if (empty === '/') yield { kind: 'close', name: opened }
    }
  }
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [, name = '', double, single] of text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    found.set(name, decode(double ?? single ?? ''))
  }
  return found
}

function decode(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w+));/g, (whole, hex, decimal, name) => {
    const code = hex ? Number.parseInt(hex, 16) : decimal ? Number(decimal) : undefined
    if (code === undefined) return ENTITIES[name] ?? whole
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
