import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError } from '../errors.ts'
import { digestOf, digestOfValue } from '../schema/canonical.ts'
import type { Digest } from '../schema/ids.ts'
import type { AskRequest, ChatModel, ModelReply } from '../schema/model.ts'
import { parseInput, parseJson } from '../schema/parse.ts'
import { askedDigest, callKey, RecordedCall, Recording } from '../schema/recording.ts'

/** A recording that models are played from. */
export interface Replay {
  readonly recording: Recording
  /** A competitor's model as it answered when it was recorded. Throws InputError when nothing of it was recorded. */
  modelOf(competitor: string): ChatModel
}

async function readPart(place: string): Promise<Buffer> {
  try {
    return await readFile(place)
  } catch (cause) {
    throw new InputError('the recording cannot be read', {
      place,
      remedy: 'name a folder that arena record has written',
      cause,
    })
  }
}

async function readDocument(place: string): Promise<unknown> {
  return parseJson((await readPart(place)).toString('utf8'), place)
}

const changed = (place: string): InputError =>
  new InputError('the recording was changed after it was written', { place, remedy: 'record it again' })

async function readCall(folder: string, key: Digest, digest: Digest): Promise<RecordedCall> {
  const place = join(folder, 'calls', `${key}.json`)
  const call = parseInput(RecordedCall, await readDocument(place), place)
  if (digestOfValue(call) !== digest || callKey(call) !== key) throw changed(place)
  return call
}

async function readRaw(folder: string, digest: Digest | null): Promise<Buffer | null> {
  if (digest === null) return null
  const place = join(folder, 'raw', digest)
  const raw = await readPart(place)
  if (digestOf(raw) !== digest) throw changed(place)
  return raw
}

/** The text with what a database does not take. */
const wholeText = (call: RecordedCall, place: string): string => {
  if (call.exactText === undefined) return call.text
  const text = parseJson(call.exactText, place)
  if (typeof text !== 'string') throw changed(place)
  return text
}

/**
 * Opens a folder that arena record has written. Its models answer exactly as the recorded ones did, faults included, and
 * ask nobody. What was not recorded is wrong input and never a forfeit: a changed prompt, task or setting must not look
 * like a model that failed. Throws InputError for a folder that is none or was changed.
 */
export async function openReplay(folder: string): Promise<Replay> {
  const place = join(folder, 'recording.json')
  const recording = parseInput(Recording, await readDocument(place), place)
  const ask = async (competitor: string, request: AskRequest): Promise<ModelReply> => {
    request.signal?.throwIfAborted()
    const { kind, attempt, repeat = 0, sample, taskId } = request
    const key = callKey({ competitor, kind, attempt, repeat, sample, asked: askedDigest(request.messages) })
    const digest = recording.calls[key]
    if (digest === undefined)
      throw new InputError(
        `${competitor} was not recorded being asked this for ${kind} of ${taskId}, attempt ${attempt}`,
        {
          place: folder,
          remedy: 'play it with the task, season file and version of the arena that were recorded',
        },
      )
    const call = await readCall(folder, key, digest)
    const { text: _text, response, exactText: _exact, toolCalls, ...kept } = call
    return {
      request: kept.request,
      raw: await readRaw(folder, response),
      text: wholeText(call, join(folder, 'calls', `${key}.json`)),
      reasoning: kept.reasoning,
      stopReason: kept.stopReason,
      promptTokens: kept.promptTokens,
      completionTokens: kept.completionTokens,
      tokenLogProbs: kept.tokenLogProbs,
      ...(kept.cachedTokens === undefined ? {} : { cachedTokens: kept.cachedTokens }),
      ...(toolCalls ? { toolCalls } : {}),
      durationMs: kept.durationMs,
      ...(kept.waitedMs === undefined ? {} : { waitedMs: kept.waitedMs }),
      ...(kept.firstTextMs === undefined ? {} : { firstTextMs: kept.firstTextMs }),
      ...(kept.tries === undefined ? {} : { tries: kept.tries }),
      ...(kept.tokenIds === undefined ? {} : { tokenIds: kept.tokenIds }),
      error: kept.error,
    }
  }
  return {
    recording,
    modelOf(competitor) {
      if (!recording.competitors.some((id) => id === competitor))
        throw new InputError(`nothing of ${competitor} was recorded`, {
          place,
          remedy: `recorded were ${recording.competitors.join(', ') || 'none'}`,
        })
      return { ask: (request) => ask(competitor, request), close: async () => {} }
    },
  }
}
