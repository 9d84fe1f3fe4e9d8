import { isIP } from 'node:net'
import { InputError } from '../errors.ts'
import { type CommandContext, textFlag } from './command.ts'

/** For a model server nearby: private addresses are refused otherwise. */
export const ALLOW_ADDRESS = {
  type: 'string',
  value: 'IP,…',
  help: 'private addresses that endpoints may have, as of a GPU machine nearby',
} as const

/** Throws InputError for anything but addresses: a name could be given another one later. */
export function addressesFlag(context: CommandContext): readonly string[] {
  const addresses = textFlag(context, 'allow-address')?.split(',') ?? []
  const wrong = addresses.find((address) => isIP(address) === 0)
  if (wrong !== undefined)
    throw new InputError(`--allow-address ${wrong}: expected IP addresses, with commas`)
  return addresses
}
