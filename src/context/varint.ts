/** Bytes that a whole number below 2^32 takes at most. */
export const VARINT_BYTES = 5

/** Writes a whole number below 2^32, seven bits a byte, low ones first; returns the place after it. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value
  let place = at
  while (rest > 0x7f) {
    bytes[place++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[place++] = rest
  return place
}
