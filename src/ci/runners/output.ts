/** Keeps the first quarter and the last three quarters of a stream in at most `limit` bytes of memory. */
export interface CappedOutput {
  push(chunk: Buffer): void
  /** What was kept; the bytes dropped between the two parts are counted, not marked. */
  read(): { readonly output: Buffer; readonly droppedBytes: number }
}

export function createCappedOutput(limit: number): CappedOutput {
  const headLimit = Math.floor(limit / 4)
  const tailLimit = limit - headLimit
  const head: Buffer[] = []
  let headBytes = 0
  // A ring: grows to tailLimit by doubling, then the newest bytes overwrite the oldest.
  let ring = Buffer.alloc(Math.min(tailLimit, 16 * 1024))
  let tailBytes = 0

  const grow = (wanted: number): void => {
    if (wanted <= ring.length || ring.length === tailLimit) return
    const bigger = Buffer.alloc(Math.min(tailLimit, Math.max(wanted, ring.length * 2)))
    ring.copy(bigger, 0, 0, tailBytes)
    ring = bigger
  }

  const pushTail = (chunk: Buffer): void => {
    grow(tailBytes + chunk.length)
    // Only the last ring.length bytes of a large chunk can survive.
    const skip = Math.max(0, chunk.length - ring.length)
    let at = ring.length === 0 ? 0 : (tailBytes + skip) % ring.length
    for (let from = skip; from < chunk.length; ) {
      const copied = chunk.copy(ring, at, from, Math.min(chunk.length, from + ring.length - at))
      from += copied
      at = (at + copied) % ring.length
    }
    tailBytes += chunk.length
  }

  return {
    push(chunk) {
      const room = headLimit - headBytes
      // Copied, since a slice would keep the whole chunk alive.
      if (room > 0) head.push(Buffer.from(chunk.subarray(0, room)))
      headBytes += Math.min(room, chunk.length)
      if (chunk.length > room) pushTail(chunk.subarray(room))
    },
    read() {
      const kept = Math.min(tailBytes, ring.length)
      const end = ring.length === 0 ? 0 : tailBytes % ring.length
      const tail =
        tailBytes <= ring.length
          ? ring.subarray(0, tailBytes)
          : Buffer.concat([ring.subarray(end), ring.subarray(0, end)])
      return { output: Buffer.concat([...head, tail]), droppedBytes: tailBytes - kept }
    },
  }
}
