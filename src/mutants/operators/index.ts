import type { LanguageId } from '../../schema/language.ts'
import { cpp } from './cpp.ts'
import { go } from './go.ts'
import type { Operators } from './operators.ts'
import { python } from './python.ts'
import { rust } from './rust.ts'

export const operatorsOf: Readonly<Record<LanguageId, Operators>> = { cpp, go, python, rust }
