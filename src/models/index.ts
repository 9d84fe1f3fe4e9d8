import type { Competitor } from '../schema/competitor.ts'
import type { ChatModel } from '../schema/model.ts'
import { createEndpointModel } from './endpoint-model.ts'
import { connectionPorts, type ModelPorts } from './ports.ts'
import { createScriptedModel } from './scripted-model.ts'

type Player = Competitor['player']
/** Controls are no models: the match makes what they bring. */
export type ModelPlayer = Exclude<Player, { kind: 'control' }>
type PlayerOf<K extends ModelPlayer['kind']> = Extract<ModelPlayer, { kind: K }>

const MODELS: { readonly [K in ModelPlayer['kind']]: (player: PlayerOf<K>, ports: ModelPorts) => ChatModel } =
  {
    scripted: (player) => createScriptedModel(player),
    endpoint: ({ endpoint }, ports) =>
      createEndpointModel(endpoint, {
        ...connectionPorts(endpoint.keyEnv, ports),
        ...(ports.paceOf ? { pace: ports.paceOf(endpoint) } : {}),
      }),
  }

/** The model behind a competitor. Throws InputError when its key is not set or its address may not be called. */
export function createModel(player: ModelPlayer, ports: ModelPorts): ChatModel {
  return player.kind === 'scripted' ? MODELS.scripted(player, ports) : MODELS.endpoint(player, ports)
}
