import { InputError } from '../errors.ts'
import { LanguageId } from '../schema/language.ts'
import { type CommandContext, textFlag } from './command.ts'

/** `--language`; undefined when it is left out. Throws InputError for another word. */
export function languageFlag(context: CommandContext): LanguageId | undefined {
  const text = textFlag(context, 'language')
  if (text === undefined) return undefined
  const language = LanguageId.safeParse(text)
  if (!language.success) throw new InputError(`--language ${text}: expected ${LanguageId.options.join(', ')}`)
  return language.data
}
