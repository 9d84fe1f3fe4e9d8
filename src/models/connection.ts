import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, type Dispatcher } from 'undici'
import { InputError } from '../errors.ts'
import {
  type AddressPolicy,
  BlockedAddressError,
  checkUrl,
  createGuardedLookup,
  type Resolve,
  resolveBySystem,
} from './address-guard.ts'

/** What every client of a server needs from outside. */
export interface ConnectionPorts {
  /** The key for this endpoint; undefined when it needs none. */
  readonly key: string | undefined
  readonly addresses: AddressPolicy
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** 0 up to 1. */
  readonly random: () => number
  readonly resolve?: Resolve
  /** Waits between two tries; rejects when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
  /** Sendings of one request, the first one counted. */
  readonly tries?: number
  /** The same for a server that only asks to be asked later. */
  readonly busyTries?: number
}

export const waitFor = async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
  await sleep(ms, undefined, signal ? { signal } : {})
}

/** The URL of a server's settings. Throws InputError that names `field` when it may not be called. */
export function checkedUrl(text: string, field: string, addresses: AddressPolicy): URL {
  try {
    return checkUrl(text, addresses)
  } catch (error) {
    if (!(error instanceof BlockedAddressError)) throw error
    throw new InputError(error.message, {
      place: field,
      remedy:
        'use a public http(s) address without user name, or --allow-address for a machine nearby and --allow-loopback for this one',
    })
  }
}

/** Connections that go only to allowed addresses. They are kept open between calls: destroy it. */
export function createConnections(ports: ConnectionPorts, connectMs: number): Dispatcher {
  return new Agent({
    connect: {
      timeout: connectMs,
      lookup: createGuardedLookup(ports.addresses, ports.resolve ?? resolveBySystem),
    },
    pipelining: 0,
    maxHeaderSize: 64 * 1024,
  })
}
