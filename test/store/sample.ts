import fc from 'fast-check'

/** The n-th value of an arbitrary: the same in every run. */
export function sampleOf<T>(arbitrary: fc.Arbitrary<T>, n: number): T {
  const [value] = fc.sample(arbitrary, { seed: n, numRuns: 1 })
  if (value === undefined) throw new Error('no sample')
  return value
}
