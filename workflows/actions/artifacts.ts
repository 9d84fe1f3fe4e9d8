import { type ActionMapping, mapped } from './action.ts'

/** Files that the run keeps for the jobs that need this one. */
export const uploadArtifact: ActionMapping = {
  actions: ['actions/upload-artifact'],
  map(call) {
    const asked = call.with['if-no-files-found'] ?? 'warn'
    return mapped('kept for the jobs that need this one', {
      store: {
        kind: 'upload',
        name: call.with.name || 'artifact',
        paths: call.with.path ?? '',
        ifNoFiles: asked === 'error' || asked === 'ignore' ? asked : 'warn',
        withHidden: call.with['include-hidden-files'] === 'true',
        overwrites: call.with.overwrite === 'true',
      },
    })
  },
}

export const downloadArtifact: ActionMapping = {
  actions: ['actions/download-artifact'],
  map: (call) =>
    mapped('from the jobs that this one needs', {
      store: {
        kind: 'download',
        name: call.with.name || null,
        pattern: call.with.pattern || '*',
        path: call.with.path || '.',
        merge: call.with['merge-multiple'] === 'true',
      },
    }),
}
