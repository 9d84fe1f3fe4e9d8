import { ByteTable } from './byte-table.ts'
import { SKIP_REASONS, type SkipReason } from './skip-reason.ts'
import type { TermVector } from './term-counter.ts'
import { VARINT_BYTES, writeVarint } from './varint.ts'

/** One blob's terms lie in `data` from `offset` on: for each, its distance to the one before, its count and whether it is defined. */
export interface VectorPlace {
  readonly offset: number
  /** Bytes. */
  readonly size: number
  readonly distinct: number
  /** All terms, repeated ones too. */
  readonly length: number
  readonly skipped: SkipReason | undefined
}

/**
 * The terms of every blob that was ever indexed here, by key: nothing is counted twice over commits. Only grows. A key is
 * a blob's name and the outline that it was read with.
 */
export class ForwardVectors {
  readonly terms = new ByteTable(true)
  private readonly placeOf = new Map<string, number>()
  private readonly keys: string[] = []
  private readonly places: VectorPlace[] = []
  data: Buffer = Buffer.allocUnsafe(1 << 16)
  private used = 0

  get size(): number {
    return this.places.length
  }

  get dataBytes(): number {
    return this.used
  }

  has(key: string): boolean {
    return this.placeOf.has(key)
  }

  find(key: string): VectorPlace | undefined {
    const place = this.placeOf.get(key)
    return place === undefined ? undefined : this.places[place]
  }

  /** Key and place by number, in the order of their coming. */
  at(number: number): readonly [string, VectorPlace] {
    return [this.keys[number] as string, this.places[number] as VectorPlace]
  }

  addSkipped(key: string, skipped: SkipReason): void {
    this.put(key, { offset: this.used, size: 0, distinct: 0, length: 0, skipped })
  }

  add(key: string, vector: TermVector): void {
    const { terms, counts, defined, length } = vector
    this.makeRoom(terms.length * VARINT_BYTES * 2)
    const { data } = this
    const offset = this.used
    let at = offset
    let before = -1
    for (let place = 0; place < terms.length; place++) {
      const term = terms[place] as number
      const count = counts[place] as number
      const head = ((term - before - 1) << 2) | ((defined[place] as number) << 1) | (count > 1 ? 1 : 0)
      at = writeVarint(data, at, head)
      if (count > 1) at = writeVarint(data, at, count - 2)
      before = term
    }
    this.used = at
    this.put(key, { offset, size: at - offset, distinct: terms.length, length, skipped: undefined })
  }

  /** Adds what add or addSkipped once wrote. */
  addPacked(key: string, packed: Buffer, place: Omit<VectorPlace, 'offset' | 'size'>): void {
    this.makeRoom(packed.length)
    packed.copy(this.data, this.used)
    this.put(key, { ...place, offset: this.used, size: packed.length })
    this.used += packed.length
  }

  private put(key: string, place: VectorPlace): void {
    this.placeOf.set(key, this.places.length)
    this.keys.push(key)
    this.places.push(place)
  }

  private makeRoom(bytes: number): void {
    if (this.used + bytes <= this.data.length) return
    const larger = Buffer.allocUnsafe(Math.ceil((this.used + bytes) * 1.5))
    this.data.copy(larger, 0, 0, this.used)
    this.data = larger
  }
}

/** The number of a reason in a stored index; 0 for none. */
export const skipNumber = (reason: SkipReason | undefined): number =>
  reason === undefined ? 0 : SKIP_REASONS.indexOf(reason) + 1

export const skipOfNumber = (number: number): SkipReason | undefined => SKIP_REASONS[number - 1]
