import { z } from 'zod'

/** An issue as a forge's API gives it, as far as a task needs it; more fields may stand beside these. */
export const Issue = z.object({
  number: z.number().int().positive(),
  title: z.string(),
  body: z.string().nullable(),
  created_at: z.iso.datetime({ offset: true }),
})
export type Issue = z.infer<typeof Issue>
