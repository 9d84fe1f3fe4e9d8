import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address that an endpoint may not have, or a URL that may not be called. */
export class BlockedAddressError extends Error {
  readonly code = 'EBLOCKED'
}

export interface AddressPolicy {
  /** 127.0.0.0/8 and ::1: for models on the operator's own machine. */
  readonly allowLoopback: boolean
  /** Single addresses that the operator allows besides. */
  readonly allow: readonly string[]
}

export type Resolve = (
  host: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>

export const resolveBySystem: Resolve = (host) => systemLookup(host, { all: true, verbatim: true })

/** Public unicast addresses only: not private, loopback, link-local, metadata, carrier-grade, mapped, translated or reserved ones. */
export function isAllowedAddress(address: string, policy: AddressPolicy): boolean {
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  if (policy.allow.includes(bare)) return true
  // A mapped address (::ffff:127.0.0.1) is the IPv4 address in it.
  const parsed = ipaddr.process(bare)
  const range = parsed.range()
  if (range === 'loopback') return policy.allowLoopback
  if (range !== 'unicast') return false
  // Only 2000::/3 is given out; ::127.0.0.1 and the like are not.
  return parsed.kind() === 'ipv4' || (parsed.toByteArray()[0] ?? 0) >> 5 === 1
}

/**
 * Checks an endpoint's URL before anything is sent. Literal addresses never reach a resolver, so that they are checked
 * here; URL itself turns decimal, octal and hexadecimal forms into dotted ones. Throws BlockedAddressError.
 */
export function checkUrl(text: string, policy: AddressPolicy): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new BlockedAddressError('the endpoint is not a URL')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new BlockedAddressError(`${url.protocol} is not http or https`)
  if (url.username !== '' || url.password !== '')
    throw new BlockedAddressError('the URL carries a user name or password')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // Every resolver gives loopback for these names (RFC 6761), so that the caller is told before anything is played.
  if (/(^|\.)localhost\.?$/.test(host) && !policy.allowLoopback)
    throw new BlockedAddressError(`${host} is this machine, which is not allowed`)
  if (isIP(host) !== 0 && !isAllowedAddress(host, policy))
    throw new BlockedAddressError(`the address ${host} is not allowed`)
  return url
}

/**
 * The look-up of a connection: the name is resolved once, every address is checked, and the connection goes to exactly
 * these, so that a name cannot change its address between check and use.
 */
export function createGuardedLookup(policy: AddressPolicy, resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const blocked = addresses.find(({ address }) => !isAllowedAddress(address, policy))
        if (blocked) {
          callback(new BlockedAddressError(`${host} is ${blocked.address}, which is not allowed`), '', 4)
          return
        }
        const [first] = addresses
        if (first === undefined) callback(new Error(`${host} has no address`), '', 4)
        else if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), '', 4),
    )
  }
}
