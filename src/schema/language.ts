import { z } from 'zod'

export const LanguageId = z.enum(['cpp', 'python', 'rust', 'go'])
export type LanguageId = z.infer<typeof LanguageId>
