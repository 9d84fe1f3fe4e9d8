import { closingBracket, maskCode } from '../shared/mask-code.ts'

/** An item with at least one attribute, as offsets into the file. */
export interface RustItem {
  /** Where its first attribute begins. */
  readonly start: number
  /** Behind its last character. */
  readonly end: number
  /** Without `#[` and `]`, as written. */
  readonly attributes: readonly string[]
  readonly kind: string
  /** What tells it from its siblings: its name, or for impl and use its whole head. */
  readonly name: string
  /** Inline modules around it, outermost first. */
  readonly modules: readonly string[]
}

const HEAD =
  /^(?:pub(?:\s*\([^)]*\))?\s+)?((?:(?:default|const|async|unsafe|extern(?:\s*"[^"]*")?)\s+)*fn|mod|use|impl|struct|enum|union|trait|type|const|static|macro_rules!|extern\s+crate)(?![\w])/
/** Kinds that end with a semicolon whatever braces they hold. */
const ENDS_WITH_SEMICOLON = ['use', 'const', 'static', 'type', 'extern crate']

/** All items that bear attributes, also those inside modules, impls and functions, in order. Never throws on broken code. */
export function attributedItems(text: string): readonly RustItem[] {
  const masked = maskCode(text, 'rust')
  const modules = inlineModules(masked)
  const items: RustItem[] = []
  let at = masked.indexOf('#[')
  while (at !== -1) {
    const { attributes, next } = readAttributes(text, masked, at)
    const head = HEAD.exec(masked.slice(next))
    if (head) {
      const keyword = (head[1] ?? '').trim()
      const kind = keyword.endsWith('fn') ? 'fn' : keyword.replaceAll(/\s+/g, ' ')
      const end = endOfItem(masked, next + head[0].length, kind)
      items.push({
        start: at,
        end,
        attributes,
        kind,
        name: nameOf(text, masked, next + head[0].length, end, kind),
        modules: modules
          .filter((module) => module.open < at && at < module.close)
          .map((module) => module.name),
      })
    }
    at = masked.indexOf('#[', Math.max(next, at + 2))
  }
  return items
}

function readAttributes(text: string, masked: string, start: number): { attributes: string[]; next: number } {
  const attributes: string[] = []
  let at = start
  while (masked.startsWith('#[', at)) {
    const close = closingBracket(masked, at + 1)
    if (close === undefined) return { attributes, next: masked.length }
    attributes.push(text.slice(at + 2, close).trim())
    at = close + 1
    at += /^\s*/.exec(masked.slice(at))?.[0].length ?? 0
  }
  return { attributes, next: at }
}

function endOfItem(masked: string, from: number, kind: string): number {
  for (let at = from; at < masked.length; at += 1) {
    const char = masked[at] ?? ''
    if (char === ';') return at + 1
    if (!'([{'.includes(char)) continue
    const close = closingBracket(masked, at)
    if (close === undefined) return masked.length
    if (char === '{' && !ENDS_WITH_SEMICOLON.includes(kind)) return close + 1
    at = close
  }
  return masked.length
}

function nameOf(text: string, masked: string, from: number, end: number, kind: string): string {
  if (kind === 'impl') return text.slice(from, masked.indexOf('{', from)).replaceAll(/\s+/g, ' ').trim()
  if (kind === 'use') return text.slice(from, end).replaceAll(/\s+/g, ' ').trim()
  return /^\s*(?:mut\s+)?(\w+)/.exec(masked.slice(from, end))?.[1] ?? ''
}

function inlineModules(masked: string): readonly { name: string; open: number; close: number }[] {
  return [...masked.matchAll(/\bmod\s+(\w+)\s*\{/g)].flatMap((match) => {
    const open = match.index + match[0].length - 1
    const close = closingBracket(masked, open)
    return match[1] && close !== undefined ? [{ name: match[1], open, close }] : []
  })
}

/** The attribute's path: `tokio::test` of `tokio::test(flavor = "…")`. */
const pathOf = (attribute: string): string => /^[\w:]+/.exec(attribute)?.[0] ?? ''

const PARAMETRISED = ['rstest', 'test_case', 'parameterized', 'test_matrix']

/** Whether a function with these attributes is a test, and whether it stands for several. */
export function testKind(attributes: readonly string[]): 'single' | 'parametrised' | undefined {
  const last = attributes.map((attribute) => pathOf(attribute).split('::').at(-1) ?? '')
  if (last.some((name) => PARAMETRISED.includes(name))) return 'parametrised'
  return last.some((name) => name === 'test' || name === 'quickcheck') ? 'single' : undefined
}

/** `cfg(test)` and `cfg(all(test, …))`: compiled into tests only. */
const isTestOnly = (attribute: string): boolean =>
  /^cfg\s*\(\s*(test|all\s*\((?!.*\b(any|not)\b).*\btest\b.*\))\s*\)$/s.test(attribute)

/** Test code inside a source file: test-only items and test functions, the outermost of each. */
export function testItems(text: string): readonly RustItem[] {
  const found = attributedItems(text).filter(
    (item) =>
      item.attributes.some(isTestOnly) || (item.kind === 'fn' && testKind(item.attributes) !== undefined),
  )
  return found.filter(
    (item) => !found.some((outer) => outer !== item && outer.start < item.start && item.end <= outer.end),
  )
}
