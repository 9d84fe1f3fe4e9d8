import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { RunnerUnavailableError } from '../errors.ts'
import { insideIo } from './io-folder.ts'
import type { StepWorld } from './run-step.ts'
import { HOME_INSIDE } from './runners/port.ts'
import type { Session } from './session.ts'

const TIMEOUT_MS = 60_000

/**
 * Copies another repository's action to where its steps look for it. `remote`: `owner/name@ref`, a folder of
 * `options.actionsFolder`. `actionPath`: inside the sandbox. Throws RunnerUnavailableError when it cannot be placed.
 */
export async function placeRemoteAction(
  world: StepWorld,
  session: Session,
  remote: string,
  actionPath: string,
): Promise<void> {
  const folder = world.options.actionsFolder
  if (folder === undefined) throw new RunnerUnavailableError(`${remote}: no folder of actions is given`)
  const name = session.newName()
  await cp(join(folder, remote), join(session.io.host, name), { recursive: true })
  const root = actionPath.slice(0, actionPath.indexOf(remote) + remote.length)
  const executed = await session.sandbox.exec({
    argv: ['/bin/sh', '-ec', 'rm -rf "$2"; mkdir -p "$2"; cp -R "$1/." "$2"', 'sh', insideIo(name), root],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    cwd: HOME_INSIDE,
    timeoutMs: TIMEOUT_MS,
    outputBytes: 4096,
  })
  if (executed.exitCode !== 0)
    throw new RunnerUnavailableError(`${remote} could not be placed: ${executed.output.toString('utf8')}`)
}
