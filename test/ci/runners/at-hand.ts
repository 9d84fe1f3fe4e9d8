import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBubblewrapRunner } from '../../../src/ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../../../src/ci/runners/docker.ts'
import type { Runner } from '../../../src/ci/runners/port.ts'

async function works(makeRunner: (workFolder: string) => Runner): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'arena-at-hand-'))
  try {
    const { ok, detail } = await makeRunner(folder).probe()
    if (!ok) console.warn(detail)
    return ok
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const isBubblewrapHere = await works((workFolder) => createBubblewrapRunner({ workFolder }))
export const isDockerHere = await works((workFolder) => createDockerRunner({ workFolder }))
