import { createHash } from 'node:crypto'
import { Digest } from './ids.ts'

/** JSON with keys in code-unit order and no white space: equal values give equal bytes. `undefined` members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** SHA-256 of bytes or UTF-8 text, in lower-case hex. */
export function digestOf(bytes: string | Uint8Array): Digest {
  return Digest.parse(createHash('sha256').update(bytes).digest('hex'))
}

/** SHA-256 of a value's canonical JSON. */
export function digestOfValue(value: unknown): Digest {
  return digestOf(canonicalJson(value))
}
