import { join } from 'node:path'
import { HOME_INSIDE } from '../runners/port.ts'
import {
  ask,
  everyOnPath,
  type Found,
  type HostSearch,
  isInUsr,
  NOTHING,
  realFolder,
  versionIn,
} from './found.ts'

const INSIDE = '/opt/go'

/** The first Go on PATH that works, by its real GOROOT. */
export async function findGo(search: HostSearch): Promise<Found> {
  for (const file of await everyOnPath(search, 'go')) {
    const local = { GOTOOLCHAIN: 'local', GOFLAGS: '' }
    const asked = await ask(search, file, ['env', 'GOROOT'], local)
    const version = versionIn(await ask(search, file, ['version'], local))
    if (!asked || !version) continue
    const root = await realFolder(asked.split('\n').at(-1) ?? '')
    if (root === undefined) continue
    const inside = isInUsr(root) ? root : INSIDE
    return {
      tools: { go: { version, path: join(inside, 'bin', 'go') } },
      binds: isInUsr(root) ? [] : [{ host: root, inside: INSIDE }],
      links: [],
      path: [join(inside, 'bin')],
      env: environment(version),
    }
  }
  return NOTHING
}

function environment(version: string): Readonly<Record<string, string>> {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return {
    GOPATH: join(HOME_INSIDE, 'go'),
    GOCACHE: join(HOME_INSIDE, '.cache', 'go-build'),
    GOPROXY: 'off',
    GOSUMDB: 'off',
    GOTOOLCHAIN: 'local',
    GOTELEMETRY: 'off',
    // Stamping asks git for a history that the tree does not have; older versions do not know the flag.
    ...(major > 1 || minor >= 18 ? { GOFLAGS: '-buildvcs=false' } : {}),
  }
}
