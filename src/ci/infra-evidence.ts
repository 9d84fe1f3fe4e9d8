import { messageOf, RunnerUnavailableError } from '../errors.ts'
import type { InfraEvidence } from '../schema/ci-run.ts'
import { sandboxEvidence } from './runners/port.ts'

/**
 * What a thrown error says about the machine; undefined for an error that is no evidence of a broken machine (a bug of
 * ours, an abort), which must travel on. Nothing that a log says is ever asked here.
 */
export function infraEvidenceOf(error: unknown): InfraEvidence | undefined {
  if (error instanceof RunnerUnavailableError) return sandboxEvidence(error.message)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const message = messageOf(error)
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EIO' || code === 'EROFS')
    return { source: 'host-disk', message }
  if (code === 'ENOMEM') return { source: 'host-memory', message }
  return undefined
}
