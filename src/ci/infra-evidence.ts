import { RunnerUnavailableError } from '../errors.ts'
import type { InfraEvidence } from '../schema/ci-run.ts'
import { sandboxEvidence } from './runners/port.ts'
import { WarmNetworkError } from './warm-leg.ts'

/** What the kernel's word says of the host, in a sentence of ours: its own message names the host's folders. */
const HOST_FAULTS: Readonly<Record<string, readonly [InfraEvidence['source'], string]>> = {
  ENOSPC: ['host-disk', "the host's disk is full"],
  EDQUOT: ['host-disk', "the quota of the host's disk is used up"],
  EIO: ['host-disk', "the host's disk failed"],
  EROFS: ['host-disk', "the host's disk is read-only"],
  ENOMEM: ['host-memory', "the host's memory is full"],
}

/** An absolute path, alone or in quotes. Tools put them into what they say. */
const HOST_PATH = /(?<![\w.)\]}-])\/+[^\s'"`()<>,;:]+/g

/**
 * What a thrown error says about the machine; undefined for an error that is no evidence of a broken machine (a bug of
 * ours, an abort), which must travel on. Nothing that a log says is ever asked here, and no path of the host is told:
 * evidence is stored and shown to everybody.
 */
export function infraEvidenceOf(error: unknown): InfraEvidence | undefined {
  if (error instanceof WarmNetworkError)
    return { source: 'warm-network', message: error.summary.replace(HOST_PATH, '(path)') }
  if (error instanceof RunnerUnavailableError)
    return sandboxEvidence(error.summary.replace(HOST_PATH, '(path)'))
  const code = textOf(error, 'code')
  const fault = code === undefined || !Object.hasOwn(HOST_FAULTS, code) ? undefined : HOST_FAULTS[code]
  if (!fault) return undefined
  const [source, sentence] = fault
  const words = [code, textOf(error, 'syscall')].filter((word) => word !== undefined)
  return { source, message: `${sentence} (${words.join(', ')})` }
}

function textOf(error: unknown, field: 'code' | 'syscall'): string | undefined {
  const value = error instanceof Error && field in error ? Reflect.get(error, field) : undefined
  return typeof value === 'string' ? value : undefined
}
