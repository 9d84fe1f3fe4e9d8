import { resolve } from 'node:path'
import { type CommandContext, textFlag } from './command.ts'

export const REPLAY = {
  type: 'string',
  value: 'DIR',
  help: 'a folder of arena record: no endpoint is called, its recorded answers are played',
} as const

export function replayFlag(context: CommandContext): string | undefined {
  const folder = textFlag(context, 'replay')
  return folder === undefined ? undefined : resolve(context.folder, folder)
}
