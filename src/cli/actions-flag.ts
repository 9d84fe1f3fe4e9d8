import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { InputError } from '../errors.ts'
import { type CommandContext, textFlag } from './command.ts'

export const ACTIONS = {
  type: 'string',
  value: 'DIR',
  help: "a folder with other repositories' actions and workflows, each in owner/name@ref",
} as const

/** The folder that --actions names. Throws InputError when there is none. */
export function actionsFlag(context: CommandContext): string | undefined {
  const written = textFlag(context, 'actions')
  if (written === undefined) return undefined
  const folder = resolve(context.folder, written)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new InputError('--actions: there is no such folder', {
      place: folder,
      remedy: 'check out each action to owner/name@ref in it',
    })
  return folder
}
