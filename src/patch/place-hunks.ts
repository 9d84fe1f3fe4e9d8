import { type BodyLine, type Hunk, oldLines } from './diff-model.ts'
import { contentOf, endOf, findRuns, splitLines, usualEnd } from './text-lines.ts'

/** A line of a placed hunk, with the end that it has in the file. */
export interface PlacedLine {
  readonly sign: ' ' | '+' | '-'
  readonly line: string
}

/** A hunk whose old lines stand byte for byte at `start` (0-based) of the file. */
export interface PlacedHunk {
  readonly start: number
  readonly lines: readonly PlacedLine[]
}

export type Placement =
  | { readonly kind: 'placed'; readonly hunks: readonly PlacedHunk[]; readonly remarks: readonly string[] }
  | { readonly kind: 'unplaced'; readonly detail: string }

/** More places than this are no place. */
const MOST_PLACES = 1000

const verbatim = (line: BodyLine): string => (line.noNewline ? line.text : `${line.text}\n`)
const bare = (line: BodyLine): string => line.text.replace(/\r$/, '')
const shown = (text: string): string => `\`${text.length > 80 ? `${text.slice(0, 80)}…` : text}\``

type Place =
  | { readonly kind: 'at'; readonly start: number; readonly remark: string | undefined }
  | { readonly kind: 'several'; readonly count: number }
  | { readonly kind: 'nowhere' }

/** Where a hunk's old lines stand: the stated line, else the only place, else (as git does) the nearest to the stated. */
function findPlace(file: readonly string[], wanted: readonly string[], hunk: Hunk, after: number): Place {
  const stated = hunk.stated === null ? undefined : Math.max(0, hunk.stated.oldStart - 1)
  if (stated !== undefined && wanted.every((line, index) => file[stated + index] === line))
    return { kind: 'at', start: stated, remark: undefined }
  const places = findRuns(file, wanted, MOST_PLACES)
  const [first] = places
  if (first === undefined) return { kind: 'nowhere' }
  if (places.length === 1) {
    const remark =
      stated === undefined ? undefined : `taken at line ${first + 1}, not at line ${stated + 1} as stated`
    return { kind: 'at', start: first, remark }
  }
  if (stated === undefined) {
    const later = places.filter((place) => place >= after)
    return later.length === 1 && later[0] !== undefined
      ? { kind: 'at', start: later[0], remark: undefined }
      : { kind: 'several', count: places.length }
  }
  const nearest = places.reduce((best, place) =>
    Math.abs(place - stated) <= Math.abs(best - stated) ? place : best,
  )
  return {
    kind: 'at',
    start: nearest,
    remark: `fits at ${places.length} places, taken at line ${nearest + 1}, the nearest to line ${stated + 1} as stated`,
  }
}

/** Why the old lines are nowhere, for a model that shall do better. */
function explain(file: readonly string[], hunk: Hunk): string {
  const contents = file.map(contentOf)
  const known = new Set(contents)
  const missing = oldLines(hunk).find((line) => !known.has(bare(line)))
  if (missing === undefined) return 'its lines are in the file, but do not follow each other like this'
  const squeezed = bare(missing).replace(/\s+/g, '')
  const alike = squeezed === '' ? -1 : contents.findIndex((line) => line.replace(/\s+/g, '') === squeezed)
  const hint = alike === -1 ? '' : `; line ${alike + 1} differs from it in white space only`
  return `the line ${shown(bare(missing))} is not in the file${hint}`
}

/**
 * The hunk's lines with the file's own line ends: old lines as they stand in the file, new ones with the end of the line
 * before them. A file without a last line feed keeps being without.
 */
function withFileEnds(file: readonly string[], start: number, hunk: Hunk): readonly PlacedLine[] {
  const usual = usualEnd(file)
  let at = start
  let end = endOf(file[start] ?? '') || usual
  const placed = hunk.lines.map((line): PlacedLine => {
    if (line.sign === '+') return { sign: '+', line: bare(line) + end }
    const own = file[at++] ?? ''
    end = endOf(own) || usual
    return { sign: line.sign, line: own }
  })
  if (at < file.length) return placed
  const keepsBare = !(file.at(-1) ?? '').endsWith('\n')
  const lastNew = placed.findLastIndex((line) => line.sign !== '-')
  const marked = hunk.lines.findLast((line) => line.sign !== '-')?.noNewline ?? false
  const dropsEnd = marked && !(oldLines(hunk).at(-1)?.noNewline ?? false)
  return placed.flatMap((line, index): PlacedLine[] => {
    if (line.sign === '+' && index === lastNew && (keepsBare || dropsEnd))
      return [{ sign: '+', line: contentOf(line.line) }]
    // The file's last line gets a line feed when something follows it now.
    if (line.sign === ' ' && index !== lastNew && !line.line.endsWith('\n'))
      return [
        { sign: '-', line: line.line },
        { sign: '+', line: line.line + usual },
      ]
    return [line]
  })
}

const asWritten = (hunk: Hunk): readonly PlacedLine[] =>
  hunk.lines.map((line) => ({ sign: line.sign, line: verbatim(line) }))

/**
 * Finds each hunk's place in the file. Old lines must stand there byte for byte; where they do so only without regard to
 * line ends, the file's own are taken. White space and everything else is never guessed. `text`: bytes as latin1.
 */
export function placeHunks(text: string, hunks: readonly Hunk[]): Placement {
  const file = splitLines(text)
  const contents = file.map(contentOf)
  const placed: PlacedHunk[] = []
  const remarks: string[] = []
  let after = 0
  for (const [index, hunk] of hunks.entries()) {
    const name = `hunk ${index + 1} (line ${hunk.line} of the diff)`
    const old = oldLines(hunk)
    if (old.length === 0 && file.length > 0)
      return { kind: 'unplaced', detail: `${name} has no context lines that would show its place` }
    if (old.length === 0) {
      placed.push({ start: 0, lines: asWritten(hunk) })
      continue
    }
    let place = findPlace(file, old.map(verbatim), hunk, after)
    const exact = place.kind === 'at'
    if (place.kind === 'nowhere') place = findPlace(contents, old.map(bare), hunk, after)
    if (place.kind === 'nowhere')
      return { kind: 'unplaced', detail: `${name} does not fit: ${explain(file, hunk)}` }
    if (place.kind === 'several')
      return {
        kind: 'unplaced',
        detail: `${name} fits at ${place.count} places and does not say which line; add context or line numbers`,
      }
    if (!exact) remarks.push(`${name}: line ends taken from the file`)
    if (place.remark !== undefined) remarks.push(`${name} ${place.remark}`)
    placed.push({
      start: place.start,
      lines: exact ? asWritten(hunk) : withFileEnds(file, place.start, hunk),
    })
    after = place.start + old.length
  }
  return { kind: 'placed', hunks: placed, remarks }
}
