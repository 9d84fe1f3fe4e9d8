import { digestOf } from '../../../src/schema/canonical.ts'
import { openBlobs } from '../../../src/store/blobs.ts'

const [folder = ''] = process.argv.slice(2)
const blobs = await openBlobs(folder, () => new Date('2030-01-02T03:04:05.678Z'))
const bytes = (n: number): Buffer => Buffer.alloc(300_000, n)
let saved = 0
let refusal: unknown
for (; refusal === undefined && saved < 100; saved++) {
  refusal = await blobs.put(bytes(saved)).then(
    () => undefined,
    (error: unknown) => error,
  )
}
let lost = 0
for (let n = 0; n < saved - 1; n++) {
  const kept = await blobs.get(digestOf(bytes(n)))
  if (!kept?.equals(bytes(n))) lost++
}
const name = refusal instanceof Error ? refusal.name : 'none'
const message = refusal instanceof Error ? refusal.message : ''
process.stdout.write(JSON.stringify({ saved: saved - 1, lost, name, message }))
