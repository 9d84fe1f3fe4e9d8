import type { LanguageId } from '../src/schema/language.ts'
import type { LanguageAdapter } from './adapter.ts'
import { go } from './go.ts'
import { python } from './python.ts'

/** Every language that tasks can be written in. */
export const languages = { python, go } as unknown as Readonly<Record<LanguageId, LanguageAdapter>>

export const languageOf = (id: LanguageId): LanguageAdapter => languages[id]
