const GOLDEN_RATIO = 0x9e3779b9

/** Whole numbers below 2^32. */
export type RandomStream = () => number

/**
 * sfc32, seeded by splitmix32 from seed ^ (stream+1)·0x9E3779B9, its first 12 numbers discarded: one independent stream
 * a replicate, so that the bits do not depend on how replicates are spread over workers.
 */
export function createStream(seed: number, stream: number): RandomStream {
  let state = (seed ^ Math.imul(stream + 1, GOLDEN_RATIO)) >>> 0
  const splitmix = (): number => {
    state = (state + GOLDEN_RATIO) >>> 0
    let t = state ^ (state >>> 16)
    t = Math.imul(t, 0x21f0aaad)
    t ^= t >>> 15
    t = Math.imul(t, 0x735a2d97)
    t ^= t >>> 15
    return t | 0
  }
  let a = splitmix()
  let b = splitmix()
  let c = splitmix()
  let counter = 1
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return t >>> 0
  }
  for (let discarded = 0; discarded < 12; discarded++) next()
  return next
}

/** floor(2^32 · P(X ≤ k)) for X ~ Poisson(1), k = 0 … 11: whole numbers, so that every machine draws alike. */
export const POISSON_1: readonly number[] = (() => {
  const table: number[] = []
  let probability = Math.exp(-1)
  let cumulative = 0
  for (let k = 0; k < 12; k++) {
    cumulative += probability
    table.push(Math.floor(cumulative * 2 ** 32))
    probability /= k + 1
  }
  return table
})()

/** A Poisson(1) number from one 32-bit number. */
export function poissonOf(random: number): number {
  let k = 0
  for (const bound of POISSON_1) {
    if (random < bound) break
    k++
  }
  return k
}
