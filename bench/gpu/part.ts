import { lookup } from 'node:dns/promises'
import { type ConnectionPorts, waitFor } from '../../src/models/connection.ts'

/** What a part found, by name, in the order in which it is shown. `failed`: why it ended early. */
export type Part = Readonly<Record<string, string | number>>

export interface Address {
  /** Up to and including /v1. */
  readonly baseUrl: string
  readonly model: string
}

export function readAddress(text: string): Address {
  const hash = text.lastIndexOf('#')
  if (hash <= 0 || hash === text.length - 1) throw new Error(`${text}: expected URL#MODEL`)
  return { baseUrl: text.slice(0, hash).replace(/\/+$/, ''), model: text.slice(hash + 1) }
}

/** A part that errs, or takes longer than its share, has failed; the others are still measured. */
export async function until(deadline: number, measure: () => Promise<Part>): Promise<Part> {
  const stop = new AbortController()
  const late = waitFor(Math.max(0, deadline - performance.now()), stop.signal).then(
    (): Part => ({ failed: 'its share of the time was over before anything was measured' }),
    (): Part => ({}),
  )
  const measured = measure().catch(
    (error: unknown): Part => ({ failed: error instanceof Error ? error.message : String(error) }),
  )
  try {
    return await Promise.race([measured, late])
  } finally {
    stop.abort()
  }
}

/** A connection to a server that whoever starts this has named: all of its addresses are allowed. */
export async function connectionTo({ baseUrl }: Address): Promise<ConnectionPorts> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const found = await lookup(host, { all: true })
  return {
    key: undefined,
    addresses: { allowLoopback: true, allow: found.map(({ address }) => address) },
    now: () => performance.now(),
    random: Math.random,
  }
}

const round = (value: number): number => Number(value.toPrecision(3))

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN)
}

export const perSecond = (count: number, ms: number): number => round((count * 1000) / ms)

/** A text of code of about so many characters, another for each number: no cache knows it. */
export function codeText(number: number, characters: number): string {
  const lines: string[] = []
  for (let line = 0, length = 0; length < characters; line++) {
    const text = `def value_${number}_${line}(x):\n    return x * ${(number * 7919 + line * 104_729) % 9973} + ${line}\n`
    lines.push(text)
    length += text.length
  }
  return lines.join('').slice(0, characters)
}
