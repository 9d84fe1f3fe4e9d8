import { isValueMap } from '../../workflows/values.ts'
import { insideIo, makeFile, makeFolder } from './io-folder.ts'
import type { Session } from './session.ts'
import type { CommandFiles, LegContext } from './step-environment.ts'

const WRITABLE = ['env', 'output', 'path', 'state', 'summary'] as const

/**
 * Makes the files of a step in a new folder of the session: the five it may write to, empty, and the event's payload.
 * `folder`: a name that is new there.
 */
export async function makeCommandFiles(
  session: Session,
  folder: string,
  context: LegContext,
): Promise<CommandFiles> {
  const { github } = context.leg.contexts
  const event = isValueMap(github) ? (github.event ?? {}) : {}
  await makeFolder(session.io, folder)
  for (const name of WRITABLE) await makeFile(session.io, `${folder}/${name}`, '', 0o666)
  await makeFile(session.io, `${folder}/event.json`, JSON.stringify(event), 0o644)
  const inside = (name: string): string => insideIo(`${folder}/${name}`)
  return {
    env: inside('env'),
    output: inside('output'),
    path: inside('path'),
    state: inside('state'),
    summary: inside('summary'),
    event: inside('event.json'),
  }
}
