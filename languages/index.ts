import type { LanguageId } from '../src/schema/language.ts'
import type { LanguageAdapter } from './adapter.ts'
import { cpp } from './cpp.ts'
import { go } from './go.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'

/** Every language that tasks can be in: a new one is one file, one line here and one fixture. */
export const languages: Record<LanguageId, LanguageAdapter> = { cpp, python, rust, go }

export const languageOf = (id: LanguageId): LanguageAdapter => languages[id]
