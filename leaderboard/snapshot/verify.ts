import { InputError } from '../../src/errors.ts'
import { RATINGS_VERSION } from '../../src/ratings/version.ts'
import { digestOf, digestOfValue } from '../../src/schema/canonical.ts'
import type { Snapshot } from '../../src/schema/snapshot.ts'
import { canonicalFile, DATA_FILES, type DataFiles, fromFiles, toFiles } from './data-files.ts'
import { computeResults, rateSeasonData, taskDigests } from './make.ts'

/** Something that is not as the snapshot says. */
export interface Difference {
  /** `rounds.csv, task t1`, `results.standings.rows[a].rating`. */
  readonly place: string
  readonly stated: string
  readonly found: string
}

/** The rest of a broken snapshot says nothing new. */
const SHOWN = 50

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

/** What a list's member is called: by the first name in it. */
const nameOf = (member: unknown, index: number): string => {
  if (member === null || typeof member !== 'object') return String(index)
  const named = member as Readonly<Record<string, unknown>>
  const name = named.competitor ?? named.control ?? named.value ?? named.task ?? named.round ?? index
  return String(name)
}

function compare(stated: unknown, found: unknown, place: string): readonly Difference[] {
  if (Object.is(stated, found)) return []
  if (Array.isArray(stated) && Array.isArray(found)) {
    const length = Math.max(stated.length, found.length)
    return Array.from({ length }, (_, index) =>
      compare(stated[index], found[index], `${place}[${nameOf(stated[index] ?? found[index], index)}]`),
    ).flat()
  }
  if (stated !== null && found !== null && typeof stated === 'object' && typeof found === 'object') {
    const [a, b] = [stated, found].map((value) => value as Readonly<Record<string, unknown>>)
    return [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])].flatMap((key) =>
      compare(a?.[key], b?.[key], `${place}.${key}`),
    )
  }
  return [{ place, stated: shown(stated), found: shown(found) }]
}

/** Which files, and in them which tasks, are not those that the snapshot was made from. */
function compareFiles(snapshot: Snapshot, files: DataFiles): readonly Difference[] {
  const changed = DATA_FILES.flatMap((name): readonly Difference[] => {
    const stated = snapshot.files[name]?.sha256 ?? 'no such file'
    const found = digestOf(files[name])
    return stated === found ? [] : [{ place: name, stated: `SHA-256 ${stated}`, found: `SHA-256 ${found}` }]
  })
  if (changed.length === 0) return []
  const digests = taskDigests(files)
  const stated = new Map(snapshot.tasks.map(({ task, sha256 }) => [task, sha256 as string]))
  const tasks = [...new Set([...stated.keys(), ...digests.keys()])].sort()
  return [
    ...changed,
    ...tasks
      .filter((task) => stated.get(task) !== digests.get(task))
      .map((task) => ({
        place: `rows of task ${task}`,
        stated: `SHA-256 ${stated.get(task) ?? 'of nothing'}`,
        found: digests.has(task) ? `SHA-256 ${digests.get(task)}` : 'no row',
      })),
  ]
}

/**
 * Computes everything again from the data files, whose rows may stand in any order, and lists what is not as the snapshot
 * says: nothing, when it holds. `name`: the digest it is published under, when that is known. Throws InputError for another
 * engine's snapshot, and for files that are no such CSV.
 */
export function verifySnapshot(snapshot: Snapshot, given: DataFiles, name?: string): readonly Difference[] {
  if (snapshot.engine !== RATINGS_VERSION)
    throw new InputError(
      `made by version ${snapshot.engine} of the ratings engine, this is ${RATINGS_VERSION}`,
      {
        place: 'snapshot.json',
        remedy: 'verify it with the arena that made it',
      },
    )
  const files = Object.fromEntries(
    DATA_FILES.map((file) => [file, canonicalFile(file, given[file])]),
  ) as unknown as DataFiles
  const data = fromFiles(files, { season: snapshot.season, anchors: snapshot.anchors })
  const rated = rateSeasonData(data)
  const derived = toFiles(data, rated)
  const digest = digestOfValue(snapshot)
  return [
    ...(name !== undefined && name !== digest
      ? [{ place: 'snapshot.json', stated: `named ${name}`, found: `SHA-256 ${digest}` }]
      : []),
    ...compareFiles(snapshot, files),
    ...DATA_FILES.filter((file) => derived[file] !== files[file]).map((file) => ({
      place: file,
      stated: 'columns that follow from others',
      found: 'others',
    })),
    ...compare(snapshot.results, JSON.parse(JSON.stringify(computeResults(data, rated))), 'results'),
  ].slice(0, SHOWN)
}
