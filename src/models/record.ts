import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EnvironmentError, InputError } from '../errors.ts'
import { digestOfValue } from '../schema/canonical.ts'
import type { Digest } from '../schema/ids.ts'
import { callKey, type RecordedCall, type Recording } from '../schema/recording.ts'

export interface RecordRequest {
  /** Made when absent; it must be empty. */
  readonly folder: string
  readonly season: Pick<Recording, 'season' | 'seasonDigest'>
  readonly calls: readonly RecordedCall[]
  /** The raw answer of a digest. */
  readonly readRaw: (digest: Digest) => Promise<Uint8Array | undefined>
}

async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0)
    throw new InputError('the folder is not empty', { place: folder, remedy: 'name a new one' })
}

/**
 * Writes calls as a folder that another arena can play from: `recording.json`, `calls/KEY.json`, `raw/DIGEST`. The
 * same calls give the same bytes. Throws InputError for a folder that is not empty, EnvironmentError when a raw answer
 * is no longer kept.
 */
export async function writeRecording(request: RecordRequest): Promise<Recording> {
  const { folder, season } = request
  await makeEmpty(folder)
  await mkdir(join(folder, 'calls'))
  await mkdir(join(folder, 'raw'))
  const byKey = new Map(request.calls.map((call) => [callKey(call), call]))
  const keys = [...byKey.keys()].sort()
  const digests: Record<string, Digest> = {}
  for (const key of keys) {
    const call = byKey.get(key)
    if (!call) continue
    digests[key] = digestOfValue(call)
    await writeFile(join(folder, 'calls', `${key}.json`), `${JSON.stringify(call, null, 2)}\n`)
    if (call.response === null) continue
    const raw = await request.readRaw(call.response)
    if (!raw) throw new EnvironmentError('a raw answer is no longer kept', { place: call.response })
    await writeFile(join(folder, 'raw', call.response), raw)
  }
  const competitors = [...new Set(request.calls.map((call) => call.competitor))].sort()
  const recording: Recording = { format: 1, ...season, competitors, calls: digests }
  await writeFile(join(folder, 'recording.json'), `${JSON.stringify(recording, null, 2)}\n`)
  return recording
}
