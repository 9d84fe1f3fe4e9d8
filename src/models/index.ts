import { InputError } from '../errors.ts'
import type { Competitor } from '../schema/competitor.ts'
import type { ChatModel } from '../schema/model.ts'
import type { AddressPolicy } from './address-guard.ts'
import { createEndpointModel } from './endpoint-model.ts'
import { createScriptedModel } from './scripted-model.ts'

export interface ModelPorts {
  /** Reads a secret by the name of its variable. */
  readonly secret: (name: string) => string | undefined
  readonly addresses: AddressPolicy
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** 0 up to 1. */
  readonly random: () => number
}

type Player = Competitor['player']
/** Controls are no models: the match makes what they bring. */
export type ModelPlayer = Exclude<Player, { kind: 'control' }>
type PlayerOf<K extends ModelPlayer['kind']> = Extract<ModelPlayer, { kind: K }>

const MODELS: { readonly [K in ModelPlayer['kind']]: (player: PlayerOf<K>, ports: ModelPorts) => ChatModel } =
  {
    scripted: (player) => createScriptedModel(player),
    endpoint: ({ endpoint }, { secret, addresses, now, random }) => {
      const key = endpoint.keyEnv === undefined ? undefined : secret(endpoint.keyEnv)
      if (endpoint.keyEnv !== undefined && key === undefined)
        throw new InputError('the variable with the key is not set', {
          place: endpoint.keyEnv,
          remedy: `set ${endpoint.keyEnv}, or leave keyEnv out`,
        })
      return createEndpointModel(endpoint, { key, addresses, now, random })
    },
  }

/** The model behind a competitor. Throws InputError when its key is not set or its address may not be called. */
export function createModel(player: ModelPlayer, ports: ModelPorts): ChatModel {
  return player.kind === 'scripted' ? MODELS.scripted(player, ports) : MODELS.endpoint(player, ports)
}
