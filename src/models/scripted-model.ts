import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError } from '../errors.ts'
import type { AskRequest, ChatModel, ModelReply } from '../schema/model.ts'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

async function readAnswer(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/**
 * Recorded answers, read as a model's are: `<folder>/<task id>/patch.md` and `tests.md`; a second asking reads
 * `patch.2.md` when it is there, else gets the same again. So do the third of several drawn patches (`patch.sample-3.md`)
 * and the second time in a role in a battle whose rounds follow each other (`patch.round-2.md`). No file is an empty answer:
 * the role forfeits.
 * Throws InputError when the folder itself is missing.
 */
export function createScriptedModel({ folder }: { readonly folder: string }): ChatModel {
  const ask = async ({
    attempt,
    taskId,
    kind,
    messages,
    sample = 0,
    round = 1,
  }: AskRequest): Promise<ModelReply> => {
    const known = await stat(folder).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (!known?.isDirectory())
      throw new InputError('there is no folder of recorded answers', {
        place: folder,
        remedy: 'correct player.folder of the competitor',
      })
    const names = [
      ...(attempt > 1 ? [`${kind}.${attempt}`] : []),
      ...(round > 1 ? [`${kind}.round-${round}`] : []),
      ...(sample > 0 ? [`${kind}.sample-${sample + 1}`] : []),
      kind,
    ]
    let raw: Buffer | undefined
    for (const name of names) raw ??= await readAnswer(join(folder, taskId, `${name}.md`))
    return {
      request: { recorded: `${taskId}/${kind}`, attempt, messages: messages.length },
      raw: raw ?? null,
      text: raw?.toString('utf8') ?? '',
      reasoning: '',
      stopReason: raw === undefined ? null : 'stop',
      promptTokens: null,
      completionTokens: null,
      tokenLogProbs: null,
      durationMs: 0,
      error: null,
    }
  }
  return { ask, close: async () => {} }
}
