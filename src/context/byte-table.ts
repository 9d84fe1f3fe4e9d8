/** Upper-case ASCII as lower case, everything else as it is. */
export const LOWER_CASE: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 65 && byte <= 90 ? byte + 32 : byte,
)

const AS_IT_IS: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => byte)

/** The first value of a hash, before any byte. */
export const HASH_START = 0x811c9dc5

/** One step of FNV-1a over a byte. */
export const hashByte = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193)

/** Words of bytes ↔ small numbers, counted from 0 in the order of their coming. Words are up to 255 bytes long. */
export class ByteTable {
  size = 0
  readonly fold: Uint8Array
  private mask: number
  private slots: Int32Array
  private hashes: Int32Array
  private offsets: Uint32Array
  private lengths: Uint8Array
  private arena: Buffer
  private used = 0

  /** `fold`: whether words that differ in case only are the same; they are then kept in lower case. */
  constructor(fold: boolean, capacity = 1 << 14) {
    this.fold = fold ? LOWER_CASE : AS_IT_IS
    this.mask = capacity - 1
    this.slots = new Int32Array(capacity).fill(-1)
    this.hashes = new Int32Array(capacity)
    this.offsets = new Uint32Array(capacity)
    this.lengths = new Uint8Array(capacity)
    this.arena = Buffer.allocUnsafe(capacity * 4)
  }

  hashOf(bytes: Uint8Array, start: number, end: number): number {
    let hash = HASH_START
    for (let at = start; at < end; at++) hash = hashByte(hash, this.fold[bytes[at] as number] as number)
    return hash
  }

  /** The word's number, or −1. `hash` must be the table's own of the folded bytes. */
  find(bytes: Uint8Array, start: number, end: number, hash = this.hashOf(bytes, start, end)): number {
    const { slots, hashes, lengths, mask } = this
    const length = end - start
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot] as number
      if (id < 0) return -1
      if (hashes[id] === hash && lengths[id] === length && this.holds(id, bytes, start, length)) return id
    }
  }

  /** The word's number, a new one when it was not there. */
  intern(bytes: Uint8Array, start: number, end: number, hash = this.hashOf(bytes, start, end)): number {
    const known = this.find(bytes, start, end, hash)
    return known >= 0 ? known : this.add(bytes, start, end, hash)
  }

  text(id: number): string {
    const start = this.offsets[id] as number
    return this.arena.toString('latin1', start, start + (this.lengths[id] as number))
  }

  /** The words from number `first` on, each with its length before it. */
  pack(first: number): Buffer {
    const start = first < this.size ? (this.offsets[first] as number) : this.used
    const packed = Buffer.allocUnsafe(this.used - start + this.size - first)
    let at = 0
    for (let id = first; id < this.size; id++) {
      const length = this.lengths[id] as number
      const offset = this.offsets[id] as number
      packed[at++] = length
      at += this.arena.copy(packed, at, offset, offset + length)
    }
    return packed
  }

  private holds(id: number, bytes: Uint8Array, start: number, length: number): boolean {
    const { arena, fold } = this
    const offset = this.offsets[id] as number
    for (let at = 0; at < length; at++)
      if (arena[offset + at] !== fold[bytes[start + at] as number]) return false
    return true
  }

  private add(bytes: Uint8Array, start: number, end: number, hash: number): number {
    if (this.size * 2 > this.mask) this.grow()
    const length = end - start
    if (this.used + length > this.arena.length) {
      const larger = Buffer.allocUnsafe(this.arena.length * 2 + length)
      this.arena.copy(larger, 0, 0, this.used)
      this.arena = larger
    }
    const id = this.size++
    this.hashes[id] = hash
    this.offsets[id] = this.used
    this.lengths[id] = length
    for (let at = start; at < end; at++) this.arena[this.used++] = this.fold[bytes[at] as number] as number
    this.place(id, hash)
    return id
  }

  private place(id: number, hash: number): void {
    let slot = (hash ^ (hash >>> 15)) & this.mask
    while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & this.mask
    this.slots[slot] = id
  }

  private grow(): void {
    const capacity = (this.mask + 1) * 2
    this.mask = capacity - 1
    const copied = <T extends Int32Array | Uint32Array | Uint8Array>(to: T, from: T): T => {
      to.set(from)
      return to
    }
    // At most half of the slots are used, so the columns need half as many places.
    const places = capacity / 2 + 1
    this.hashes = copied(new Int32Array(places), this.hashes.subarray(0, places) as Int32Array<ArrayBuffer>)
    this.offsets = copied(
      new Uint32Array(places),
      this.offsets.subarray(0, places) as Uint32Array<ArrayBuffer>,
    )
    this.lengths = copied(new Uint8Array(places), this.lengths.subarray(0, places) as Uint8Array<ArrayBuffer>)
    this.slots = new Int32Array(capacity).fill(-1)
    for (let id = 0; id < this.size; id++) this.place(id, this.hashes[id] as number)
  }
}
