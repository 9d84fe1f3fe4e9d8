import { type ActionCall, type ActionMapping, mapped, type StoreCommand } from './action.ts'

/**
 * Caches live as long as the run: what a job saved, the jobs that need it find. Across runs the layer of the warm phase does
 * their work, and no tree ever sees what another one left.
 */
export const cache: ActionMapping = {
  actions: ['actions/cache', 'actions/cache/restore', 'actions/cache/save'],
  map(call) {
    if (call.action === 'actions/cache/save')
      return mapped('kept as long as the run', {
        store: { kind: 'save', key: call.with.key ?? '', paths: call.with.path ?? '' },
      })
    return mapped('from the jobs that this one needs, kept as long as the run', { store: restore(call) })
  },
}

const restore = (call: ActionCall): StoreCommand => ({
  kind: 'restore',
  key: call.with.key ?? '',
  restoreKeys: lines(call.with['restore-keys'] ?? ''),
  paths: call.with.path ?? '',
  failOnMiss: call.with['fail-on-cache-miss'] === 'true',
  savesAtEnd: call.action === 'actions/cache',
})

/** It keeps the registry and the target folder, which the layer of the warm phase keeps. */
export const rustCache: ActionMapping = {
  actions: ['swatinem/rust-cache'],
  map: () => mapped('a miss: dependencies are kept by the warm phase', { outputs: { 'cache-hit': 'false' } }),
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
