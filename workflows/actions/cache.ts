import { type ActionMapping, mapped } from './action.ts'

/** There is nothing to restore in a fresh tree: a miss, as on a first run. */
export const cache: ActionMapping = {
  actions: ['actions/cache', 'actions/cache/restore', 'actions/cache/save', 'swatinem/rust-cache'],
  map: () => mapped('no cache is kept; reported as a miss', { outputs: { 'cache-hit': 'false' } }),
}
