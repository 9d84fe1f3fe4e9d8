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
 * `patch.2.md` when it is there, else gets the same again. No file is an empty answer: the role forfeits.
 * Throws InputError when the folder itself is missing.
 */
export function createScriptedModel({ folder }: { readonly folder: string }): ChatModel {
  const ask = async ({ attempt, taskId, kind, messages }: AskRequest): Promise<ModelReply> => {
    const known = await stat(folder).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (!known?.isDirectory())
      throw new InputError('there is no folder of recorded answers', {
        place: folder,
        remedy: 'correct player.folder of the competitor',
      })
    const repeated =
      attempt === 1 ? undefined : await readAnswer(join(folder, taskId, `${kind}.${attempt}.md`))
    const raw = repeated ?? (await readAnswer(join(folder, taskId, `${kind}.md`)))
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
