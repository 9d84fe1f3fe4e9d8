import { existsSync } from 'node:fs'
import type { WarmOptions } from '../ci/options.ts'
import type { Config } from '../config.ts'
import { isAllowedAddress, type Resolve, resolveBySystem } from '../models/address-guard.ts'

export interface WarmRequest {
  readonly config: Config
  /** Addresses that set-up steps may reach although they are not public: registries nearby. */
  readonly allowAddresses: readonly string[]
  readonly reuse: boolean
  readonly resolve?: Resolve
}

/** Bytes that one leg may fetch. */
const FETCH_BYTES = 8 * 2 ** 30
/** Bytes on disk of all kept layers. */
const LAYER_BYTES = 20 * 2 ** 30

/** What the distribution's package manager has installed. */
const PACKAGES = '/var/lib/dpkg'
const CERTIFICATES = '/etc/ssl/certs'
const BUNDLE = `${CERTIFICATES}/ca-certificates.crt`
/** Each tool has its own name for the same file. */
const BUNDLE_VARIABLES = [
  ...['SSL_CERT_FILE', 'PIP_CERT', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO'],
  ...['CARGO_HTTP_CAINFO', 'NODE_EXTRA_CA_CERTS'],
]

/** What the warm phase may reach: public addresses, by the same guard as endpoints, and the host's certificates. */
export function warmOptions(request: WarmRequest): Omit<WarmOptions, 'folder'> {
  const policy = { allowLoopback: false, allow: request.allowAddresses }
  const resolve = request.resolve ?? resolveBySystem
  const has = existsSync(BUNDLE)
  return {
    async addressOf(host) {
      const [first, ...others] = await resolve(host)
      if (first === undefined) throw new Error('has no address')
      const blocked = [first, ...others].find(({ address }) => !isAllowedAddress(address, policy))
      if (blocked) throw new Error(`is ${blocked.address}, which is not allowed (--allow-address)`)
      return first.address
    },
    ports: [80, 443],
    fetchBytes: FETCH_BYTES,
    binds: [...(has ? [CERTIFICATES] : []), PACKAGES]
      .filter((path) => existsSync(path))
      .map((path) => ({ host: path, inside: path })),
    env: {
      ...(has ? Object.fromEntries(BUNDLE_VARIABLES.map((name) => [name, BUNDLE])) : {}),
      ...request.config.registries,
    },
    layerBytes: LAYER_BYTES,
    reuse: request.reuse,
  }
}
