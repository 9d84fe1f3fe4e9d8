/** Docker sends output and errors in one stream: frames of a kind (byte 0), a length (bytes 4 to 7, big-endian) and the bytes. */
const HEADER = 8

/** Takes the stream's chunks as they come and gives what is in the frames, in order, without keeping any. */
export function createDemultiplexer(onOutput: (chunk: Buffer) => void): (chunk: Buffer) => void {
  let header = Buffer.alloc(0)
  let left = 0
  return (chunk) => {
    let at = 0
    while (at < chunk.length) {
      if (left === 0) {
        const part = chunk.subarray(at, at + HEADER - header.length)
        header = Buffer.concat([header, part])
        at += part.length
        if (header.length < HEADER) return
        left = header.readUInt32BE(4)
        header = Buffer.alloc(0)
        continue
      }
      const part = chunk.subarray(at, at + left)
      at += part.length
      left -= part.length
      onOutput(part)
    }
  }
}
