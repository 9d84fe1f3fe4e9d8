import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { infraEvidenceOf } from '../../src/ci/infra-evidence.ts'
import { RunnerUnavailableError } from '../../src/errors.ts'

const kernelError = (code: string): Error =>
  Object.assign(new Error(`${code}: no space left on device, mkdir '/home/operator/data/io'`), {
    code,
    syscall: 'mkdir',
    path: '/home/operator/data/io',
  })

describe('evidence of a broken machine', () => {
  test.each([
    ['ENOSPC', 'host-disk', "the host's disk is full (ENOSPC, mkdir)"],
    ['EROFS', 'host-disk', "the host's disk is read-only (EROFS, mkdir)"],
    ['ENOMEM', 'host-memory', "the host's memory is full (ENOMEM, mkdir)"],
  ])('%s is said in words of its own, without the path', (code, source, message) => {
    expect(infraEvidenceOf(kernelError(code))).toEqual({ source, message })
  })

  test('a sandbox that could not be made does not say where it would have stood', () => {
    const error = new RunnerUnavailableError(
      "bwrap: Can't bind mount /oldroot/srv/x on /newroot/y: unix:///run/d.sock (and/or '/home/a b')",
      { place: '/home/operator/data/io', remedy: 'look into /home/operator' },
    )
    expect(infraEvidenceOf(error)).toEqual({
      source: 'sandbox',
      message: "bwrap: Can't bind mount (path) on (path): unix:(path) (and/or '(path) b')",
    })
    expect(error.message).toContain('/home/operator/data/io: ')
  })

  test('an error of another kind is no evidence: a missing file, an abort', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
    try {
      writeFileSync(join(folder, 'file'), '')
      const found = await mkdir(join(folder, 'file', 'below')).catch((error: unknown) => error)
      expect(infraEvidenceOf(found)).toBeUndefined()
      expect(infraEvidenceOf(AbortSignal.abort().reason)).toBeUndefined()
      expect(infraEvidenceOf('ENOSPC')).toBeUndefined()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
