import { Digest } from '../schema/ids.ts'
import type { ModelCall } from '../schema/match.ts'
import type { ChatMessage, ModelReply } from '../schema/model.ts'
import { askedDigest } from '../schema/recording.ts'
import { type Budget, costOf } from './spending.ts'
import { storableText } from './storable-text.ts'

const storableToken = <T extends { readonly token: string }>(entry: T): T => ({
  ...entry,
  token: storableText(entry.token),
})

export interface CallAbout {
  readonly messages: readonly ChatMessage[]
  readonly attempt: number
  readonly sample: number | undefined
  readonly budget: Budget
  /** Keeps bytes by content. */
  readonly putBlob: (bytes: Uint8Array) => Promise<string>
}

/** A reply as it is kept: its bytes by content, its texts without what a database does not take. */
export async function toModelCall(reply: ModelReply, about: CallAbout): Promise<ModelCall> {
  const { messages, attempt, sample, budget } = about
  const { raw, tokenLogProbs, tokenIds, toolCalls, stopReason, error, ...rest } = reply
  const cost = costOf(budget, reply, messages)
  return {
    ...rest,
    attempt,
    ...(sample === undefined ? {} : { sample }),
    asked: askedDigest(messages),
    text: storableText(reply.text),
    ...(storableText(reply.text) === reply.text ? {} : { exactText: JSON.stringify(reply.text) }),
    reasoning: storableText(reply.reasoning),
    stopReason: stopReason && storableText(stopReason),
    error: error && storableText(error),
    tokenLogProbs:
      tokenLogProbs?.map(({ top, ...entry }) => ({
        ...storableToken(entry),
        ...(top ? { top: top.map(storableToken) } : {}),
      })) ?? null,
    ...(toolCalls
      ? {
          toolCalls: toolCalls.map((call) => ({
            id: storableText(call.id),
            name: storableText(call.name),
            arguments: storableText(call.arguments),
          })),
        }
      : {}),
    ...(tokenIds ? { tokenIds: [...tokenIds] } : {}),
    ...(cost ? { cost } : {}),
    response: raw === null ? null : Digest.parse(await about.putBlob(raw)),
  }
}
