import { z } from 'zod'
import { digestOfValue } from './canonical.ts'
import { CompetitorId, Digest, Slug } from './ids.ts'
import { ModelCall } from './match.ts'
import type { ChatMessage } from './model.ts'

/** What a model was asked, whatever form its server wants it in. */
export const askedDigest = (messages: readonly ChatMessage[]): Digest =>
  digestOfValue(messages.map(({ role, content }) => ({ role, content })))

/** One exchange of a recording: a stored call, and who was asked for what. */
export const RecordedCall = ModelCall.extend({
  competitor: CompetitorId,
  taskId: Slug,
  kind: z.enum(['patch', 'tests', 'verify']),
  repeat: z.number().int().nonnegative(),
  asked: Digest,
})
export type RecordedCall = z.infer<typeof RecordedCall>

/** `recording.json`: what the folder holds. */
export const Recording = z.strictObject({
  format: z.literal(1),
  season: Slug,
  /** Digest of the season's rules, tasks and competitors' settings. */
  seasonDigest: Digest,
  competitors: z.array(CompetitorId),
  /** Key of each call → digest of its document; `calls/KEY.json` is the document. */
  calls: z.record(Digest, Digest),
})
export type Recording = z.infer<typeof Recording>

/** What finds a recorded call again: nothing of the server, so that a changed address or key does not matter. */
export interface CallIdentity {
  readonly competitor: string
  readonly kind: string
  readonly repeat: number
  readonly attempt: number
  readonly sample?: number | undefined
  /** askedDigest of the messages. */
  readonly asked: string
}

export const callKey = ({ competitor, kind, repeat, attempt, sample, asked }: CallIdentity): Digest =>
  digestOfValue({ competitor, kind, repeat, attempt, ...(sample === undefined ? {} : { sample }), asked })
