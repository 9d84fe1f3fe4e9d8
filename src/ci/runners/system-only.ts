import type { Toolchains } from '../toolchains.ts'
import { unmergedFolders } from './root-folder.ts'

/** The distribution's programs and nothing else: for sandboxes of the arena's own. */
export const SYSTEM_ONLY: Toolchains = {
  binds: ['/usr', ...unmergedFolders()].map((path) => ({ host: path, inside: path })),
  path: ['/usr/bin', '/bin'],
  env: {},
  tools: {},
  digest: 'system-only',
}
