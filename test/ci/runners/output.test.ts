import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDemultiplexer } from '../../../src/ci/runners/docker-stream.ts'
import { exitStatusOf } from '../../../src/ci/runners/exit-status.ts'
import { createCappedOutput } from '../../../src/ci/runners/output.ts'

const cutAt = (whole: Buffer, sizes: readonly number[]): Buffer[] => {
  const chunks: Buffer[] = []
  let at = 0
  for (let turn = 0; at < whole.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(whole.subarray(at, at + size))
    at += size
  }
  return chunks
}
const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 6 })

describe('capped output', () => {
  it('is the head and the tail of the whole, however it comes in pieces', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 120_000 }),
        fc.integer({ min: 0, max: 90_000 }),
        sizes,
        (length, limit, pieces) => {
          const whole = Buffer.from(Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) & 255))
          const capped = createCappedOutput(limit)
          for (const chunk of cutAt(whole, pieces)) capped.push(chunk)
          const { output, droppedBytes } = capped.read()
          const head = Math.floor(limit / 4)
          const expected =
            length <= limit
              ? whole
              : Buffer.concat([whole.subarray(0, head), whole.subarray(length - (limit - head))])
          expect(output.equals(expected)).toBe(true)
          expect(droppedBytes).toBe(Math.max(0, length - limit))
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe("docker's stream", () => {
  it('gives the frames their bytes back, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), sizes, (parts, pieces) => {
        const frames = parts.map((part, index) => {
          const header = Buffer.alloc(8)
          header[0] = 1 + (index % 2)
          header.writeUInt32BE(part.length, 4)
          return Buffer.concat([header, part])
        })
        const got: Buffer[] = []
        const demultiplex = createDemultiplexer((chunk) => got.push(chunk))
        for (const chunk of cutAt(
          Buffer.concat(frames),
          pieces.map((size) => 1 + (size % 13)),
        ))
          demultiplex(chunk)
        expect(Buffer.concat(got).equals(Buffer.concat(parts))).toBe(true)
      }),
    )
  })
})

describe('exit status', () => {
  it('names the signal that a code above 128 stands for, and keeps every other code', () => {
    expect(exitStatusOf(0)).toEqual({ exitCode: 0, signal: null })
    expect(exitStatusOf(134)).toEqual({ exitCode: null, signal: 'SIGABRT' })
    expect(exitStatusOf(137)).toEqual({ exitCode: null, signal: 'SIGKILL' })
    expect(exitStatusOf(128)).toEqual({ exitCode: 128, signal: null })
    expect(exitStatusOf(255)).toEqual({ exitCode: 255, signal: null })
  })
})
