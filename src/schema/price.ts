import { z } from 'zod'

/** What a million tokens cost. */
export const Price = z.strictObject({
  input: z.number().nonnegative(),
  /** Of the prompt's tokens those that the server had read before; as much as the others when left out. */
  cachedInput: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
})
export type Price = z.infer<typeof Price>

/** Prices as they were on a day. */
export const PriceList = z.strictObject({
  date: z.iso.date().describe('the day of these prices'),
  currency: z.string().regex(/^[A-Z]{3}$/, 'expected three capitals, such as USD'),
  models: z
    .record(z.string(), Price)
    .describe("by a competitor's id, or by its model's name; a million tokens each"),
})
export type PriceList = z.infer<typeof PriceList>

/** What something cost, by the price list of a day. */
export const Cost = z.object({
  amount: z.number().nonnegative(),
  currency: z.string(),
  date: z.string(),
  /** Tokens that the server did not tell were estimated from the text. */
  estimated: z.boolean(),
})
export type Cost = z.infer<typeof Cost>

/** Hard limits of what one role of one round may use, all of its attempts together. */
export const RoleLimits = z.strictObject({
  tokens: z.number().int().positive().optional().describe('of prompts and answers'),
  bytes: z.number().int().positive().optional().describe('of responses'),
  money: z.number().positive().optional().describe("in the price list's currency"),
})
export type RoleLimits = z.infer<typeof RoleLimits>
