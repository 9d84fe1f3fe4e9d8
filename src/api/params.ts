import { z } from 'zod'
import { CompetitorId, Digest, Slug } from '../schema/ids.ts'
import { VerdictKind } from '../schema/verdict.ts'
import { PublicError } from './public-error.ts'

export const SeasonParams = z.object({ id: Slug })
export const LogParams = z.object({ digest: Digest })
export const RoundParams = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{12,64}$/, 'expected the first 12 to 64 digits of a round, in lower-case hex'),
})
export const StandingsQuery = z.object({ season: Slug.optional() })

/** An empty field of a form says nothing. */
const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
export const RoundsQuery = z.object({
  task: optional(Slug),
  submitter: optional(CompetitorId),
  reviewer: optional(CompetitorId),
  verdict: optional(VerdictKind),
  page: optional(z.coerce.number().int().min(1).max(100_000)),
})

/** Throws a 400 whose message names the parameter. */
export function parseRequest<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [fault] = result.error.issues
  const name = fault?.path.join('.') ?? ''
  throw new PublicError(400, `${name === '' ? '' : `${name}: `}${fault?.message ?? 'not understood'}`)
}
