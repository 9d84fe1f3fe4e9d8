import { isValueList, isValueMap, textOf, type Value, type ValueMap } from './values.ts'

/**
 * The combinations of a `matrix`, in GitHub's order: the vectors' product with the first key slowest, exclusions removed,
 * then `include` entry by entry: an entry extends every original combination of which it overwrites no value, else it is
 * a combination of its own. An empty answer means that the matrix holds no combination at all.
 */
export function expandMatrix(matrix: ValueMap): readonly ValueMap[] {
  const vectors = Object.entries(matrix).filter(([key]) => key !== 'include' && key !== 'exclude')
  const excluded = mapsIn(matrix.exclude)
  const originals = product(vectors).filter((leg) => !excluded.some((filter) => matches(leg, filter)))
  return addIncludes(originals, mapsIn(matrix.include))
}

function product(vectors: readonly (readonly [string, Value])[]): ValueMap[] {
  if (vectors.length === 0) return []
  return vectors.reduce<ValueMap[]>(
    (legs, [key, values]) =>
      legs.flatMap((leg) =>
        (isValueList(values) ? values : [values]).map((value) => ({ ...leg, [key]: value })),
      ),
    [{}],
  )
}

function addIncludes(originals: readonly ValueMap[], includes: readonly ValueMap[]): ValueMap[] {
  const legs = originals.map((original) => ({ original, leg: original }))
  const added: ValueMap[] = []
  for (const entry of includes) {
    // Values that an earlier include added may be overwritten; those of the original combination may not.
    const fitting = legs.filter(({ original }) =>
      Object.entries(entry).every(([key, value]) => !(key in original) || isEqual(original[key], value)),
    )
    for (const place of fitting) place.leg = { ...place.leg, ...entry }
    if (fitting.length === 0) added.push(entry)
  }
  return [...legs.map(({ leg }) => leg), ...added]
}

/** Whether every value that the filter names is the leg's; nested mappings match by the members named. */
function matches(leg: ValueMap, filter: ValueMap): boolean {
  return Object.entries(filter).every(([key, wanted]) => matchesValue(leg[key], wanted))
}

function matchesValue(value: Value | undefined, wanted: Value): boolean {
  if (isValueMap(wanted)) return isValueMap(value) && matches(value, wanted)
  return isEqual(value, wanted)
}

function isEqual(a: Value | undefined, b: Value): boolean {
  if (a === undefined) return false
  if (typeof a === 'object' || typeof b === 'object') return JSON.stringify(a) === JSON.stringify(b)
  return textOf(a) === textOf(b)
}

const mapsIn = (value: Value | undefined): readonly ValueMap[] =>
  isValueList(value) ? value.filter(isValueMap) : []
