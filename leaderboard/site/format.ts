/** Numbers as the pages print them: true minus signs, thin separators, nothing that depends on a locale. */

const MINUS = '−'

export const grouped = (value: number): string =>
  String(Math.trunc(value)).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009')

/** Whole number with its sign: `+3`, `0`, `−2`. */
export const signed = (value: number): string =>
  value > 0 ? `+${grouped(value)}` : value < 0 ? `${MINUS}${grouped(-value)}` : '0'

/** A rating: whole, without separators. */
export const rounded = (value: number): string => {
  const whole = Math.round(value)
  return whole < 0 ? `${MINUS}${-whole}` : String(whole)
}

/** Share of 1 as a whole percentage, where only all is 100 and only none is 0. */
export function percent(share: number): string {
  const whole = Math.round(share * 100)
  if (whole === 100 && share < 1) return '99\u202f%'
  if (whole === 0 && share > 0) return '1\u202f%'
  return `${whole}\u202f%`
}

/** Milliseconds as people read them. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}\u202fms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)}\u202fs`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}\u202fmin ${seconds % 60}\u202fs`
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** The first digits of a digest: enough to tell a page's digests apart. */
export const shortId = (digest: string): string => digest.slice(0, 12)

/** `2026-01-31 12:05 UTC` of an ISO time. */
export const minute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
