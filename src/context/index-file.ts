import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { EnvironmentError } from '../errors.ts'
import { ForwardVectors, skipNumber, skipOfNumber } from './forward-vectors.ts'

/**
 * The stored form of forward vectors: a head that names the version, then segments, each what one indexing added. A segment
 * carries the checksum of its bytes and of the segment before it, so that one which is torn, spoilt or out of place ends
 * the reading there: the rest is counted anew.
 */
const FORMAT = 1

/** Bytes before a segment's body: length, checksum, checksum of the segment before. */
const FRAME_BYTES = 12

/** How far a file was understood. */
export interface IndexFileState {
  /** Good bytes. */
  readonly bytes: number
  /** Checksum of the last good segment. */
  readonly checksum: number
  /** Entries and terms of the vectors that the good bytes hold. */
  readonly entries: number
  readonly terms: number
  /** Bytes that were there and could not be used. */
  readonly spoiltBytes: number
}

export interface LoadedIndex {
  readonly vectors: ForwardVectors
  readonly state: IndexFileState
}

const headOf = (version: string): Buffer => Buffer.from(`ci-arena context index ${FORMAT} ${version}\n`)

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

const diskError = (cause: unknown, place: string): EnvironmentError =>
  new EnvironmentError('the index cannot be kept', {
    place,
    remedy: 'free disk space, or check who may write there',
    cause,
  })

/** A segment's body: words, then a line of numbers for each entry, then the entries' data. */
function packSegment(vectors: ForwardVectors, fromEntry: number, fromTerm: number): Buffer {
  const words = vectors.terms.pack(fromTerm)
  const count = vectors.size - fromEntry
  const parts: Buffer[] = []
  const names: Buffer[] = []
  const numbers = new Uint32Array(count * 4)
  for (let entry = 0; entry < count; entry++) {
    const [key, place] = vectors.at(fromEntry + entry)
    names.push(Buffer.from(`${key}\n`, 'latin1'))
    numbers.set([skipNumber(place.skipped), place.length, place.distinct, place.size], entry * 4)
    parts.push(vectors.data.subarray(place.offset, place.offset + place.size))
  }
  const nameBytes = Buffer.concat(names)
  const sizes = Uint32Array.of(vectors.terms.size - fromTerm, words.length, count, nameBytes.length)
  const plain = Buffer.concat([
    Buffer.from(sizes.buffer),
    Buffer.from(numbers.buffer),
    words,
    nameBytes,
    ...parts,
  ])
  return deflateRawSync(plain, { level: 1 })
}

/** Throws when the body is not what packSegment wrote. */
function unpackSegment(body: Buffer, vectors: ForwardVectors): void {
  const plain = inflateRawSync(body)
  const sizes = [0, 4, 8, 12].map((at) => plain.readUInt32LE(at))
  const [wordCount = 0, wordBytes = 0, count = 0, nameBytes = 0] = sizes
  let at = 16 + count * 16
  const wordsEnd = at + wordBytes
  for (let word = 0; word < wordCount; word++) {
    const length = plain[at] as number
    vectors.terms.intern(plain, at + 1, at + 1 + length)
    at += 1 + length
  }
  if (at !== wordsEnd) throw new Error('words out of step')
  const names = plain.toString('latin1', at, at + nameBytes).split('\n')
  at += nameBytes
  for (let entry = 0; entry < count; entry++) {
    const numbers = 16 + entry * 16
    const size = plain.readUInt32LE(numbers + 12)
    vectors.addPacked(names[entry] as string, plain.subarray(at, at + size), {
      skipped: skipOfNumber(plain.readUInt32LE(numbers)),
      length: plain.readUInt32LE(numbers + 4),
      distinct: plain.readUInt32LE(numbers + 8),
    })
    at += size
  }
  if (at !== plain.length) throw new Error('data out of step')
}

/**
 * Reads what was stored under this version; a file of another version, or none, gives empty vectors. A spoilt tail is left
 * out and told in the state. Throws EnvironmentError when the disk refuses.
 */
export async function readIndexFile(path: string, version: string): Promise<LoadedIndex> {
  const vectors = new ForwardVectors()
  const head = headOf(version)
  let bytes: Buffer
  try {
    bytes = await readFile(path)
  } catch (cause) {
    if (!isMissing(cause)) throw diskError(cause, path)
    bytes = Buffer.alloc(0)
  }
  const nothing = { bytes: 0, checksum: 0, entries: 0, terms: 0 }
  if (!bytes.subarray(0, head.length).equals(head))
    return { vectors, state: { ...nothing, spoiltBytes: bytes.length } }
  let good = head.length
  let checksum = 0
  let entries = 0
  let terms = 0
  while (good + FRAME_BYTES <= bytes.length) {
    const length = bytes.readUInt32LE(good)
    const told = bytes.readUInt32LE(good + 4)
    const before = bytes.readUInt32LE(good + 8)
    const body = bytes.subarray(good + FRAME_BYTES, good + FRAME_BYTES + length)
    if (body.length < length || before !== checksum || crc32(body, before) !== told) break
    unpackSegment(body, vectors)
    good += FRAME_BYTES + length
    checksum = told
    entries = vectors.size
    terms = vectors.terms.size
  }
  return { vectors, state: { bytes: good, checksum, entries, terms, spoiltBytes: bytes.length - good } }
}

/** How long a writer may hold the lock: an older one belongs to a process that was killed. */
const LOCK_AGE_MS = 60_000

async function takeLock(path: string, now: () => number): Promise<boolean> {
  const held = await stat(path).catch(() => undefined)
  if (held && now() - held.mtimeMs > LOCK_AGE_MS) await rm(path, { force: true })
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Stores what `vectors` hold beyond `state`, as one more segment; a file with nothing good in it is written anew. Leaves the
 * file as it is, and returns undefined, when another process is writing or has written since: what is not kept is counted
 * again. Throws EnvironmentError when the disk refuses. `now`: milliseconds since 1970.
 */
export async function appendIndexFile(
  path: string,
  version: string,
  { vectors, state }: LoadedIndex,
  now: () => number,
): Promise<IndexFileState | undefined> {
  const lock = `${path}.lock`
  try {
    await mkdir(dirname(path), { recursive: true })
    if (!(await takeLock(lock, now))) return undefined
    try {
      const size = await stat(path).then(
        (about) => about.size,
        () => 0,
      )
      if (size !== state.bytes + state.spoiltBytes) return undefined
      const body = packSegment(vectors, state.entries, state.terms)
      const checksum = crc32(body, state.checksum)
      const frame = Buffer.from(Uint32Array.of(body.length, checksum, state.checksum).buffer)
      const after = {
        checksum,
        entries: vectors.size,
        terms: vectors.terms.size,
        spoiltBytes: 0,
      }
      if (state.bytes === 0) {
        const draft = `${path}.${randomUUID()}`
        const whole = Buffer.concat([headOf(version), frame, body])
        await writeWhole(draft, whole)
        await rename(draft, path)
        return { ...after, bytes: whole.length }
      }
      const file = await open(path, 'r+')
      try {
        await file.truncate(state.bytes)
        await file.write(Buffer.concat([frame, body]), 0, FRAME_BYTES + body.length, state.bytes)
      } finally {
        await file.close()
      }
      return { ...after, bytes: state.bytes + FRAME_BYTES + body.length }
    } finally {
      await rm(lock, { force: true })
    }
  } catch (cause) {
    throw diskError(cause, path)
  }
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.write(bytes)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
