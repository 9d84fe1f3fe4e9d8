import { InputError } from '../errors.ts'
import type { EndpointSpec } from '../schema/competitor.ts'
import type { AddressPolicy } from './address-guard.ts'
import type { ConnectionPorts } from './connection.ts'
import type { Pace } from './pace.ts'

/** What the arena gives to every model, whatever it is. */
export interface ModelPorts {
  /** Reads a secret by the name of its variable. */
  readonly secret: (name: string) => string | undefined
  readonly addresses: AddressPolicy
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** 0 up to 1. */
  readonly random: () => number
  /** How fast an endpoint is asked by everybody together; each model by itself when left out. */
  readonly paceOf?: (spec: EndpointSpec) => Pace
}

/** What one endpoint needs: its key is looked up now. Throws InputError when the variable is not set. */
export function connectionPorts(keyEnv: string | undefined, ports: ModelPorts): ConnectionPorts {
  const { secret, addresses, now, random } = ports
  const key = keyEnv === undefined ? undefined : secret(keyEnv)
  if (keyEnv !== undefined && key === undefined)
    throw new InputError('the variable with the key is not set', {
      place: keyEnv,
      remedy: `set ${keyEnv}, or leave keyEnv out`,
    })
  return { key, addresses, now, random }
}
