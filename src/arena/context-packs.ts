import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '../../languages/index.ts'
import { openSyntax, type Syntax } from '../../languages/shared/syntax.ts'
import { createBlobCache } from '../context/blob-cache.ts'
import { type CountTokens, loadTokenizer } from '../context/count-tokens.ts'
import { cutFile } from '../context/cut.ts'
import { openGitCorpus } from '../context/git-corpus.ts'
import { createLaneOf } from '../context/lanes.ts'
import type { NamedReranker } from '../context/rerank-units.ts'
import { retrieve } from '../context/retrieve.ts'
import { countHere, indexVersion, openTreeIndex } from '../context/tree-index.ts'
import { VARIANTS } from '../context/variants.ts'
import { packWholeFiles } from '../context/whole-files.ts'
import { InputError } from '../errors.ts'
import { digestOf, digestOfValue } from '../schema/canonical.ts'
import { ContextManifest, ContextVariant } from '../schema/context.ts'
import type { OnEvent } from '../schema/event.ts'
import type { Season } from '../schema/match.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import { git } from '../task/git.ts'
import { readWasm } from './read-wasm.ts'
import { statementOf } from './tasks-in-play.ts'

type Kind = 'patch' | 'tests'

/** What everybody in one role is shown of a task. */
export interface ContextPack {
  readonly text: string
  readonly manifest: ContextManifest | undefined
}

export interface ContextPacks {
  /** Makes every pack of these tasks, before anybody is asked. */
  prepare(tasks: readonly PreparedTask[]): Promise<void>
  /** The same for every competitor. */
  packFor(kind: Kind, task: PreparedTask): ContextPack
}

export interface PacksRequest {
  readonly season: Pick<Season, 'id' | 'retrieval' | 'statement'>
  readonly dataDir: string
  readonly reranker: NamedReranker | undefined
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onEvent: OnEvent
  readonly signal?: AbortSignal | undefined
}

const NOTHING: ContextPack = { text: '', manifest: undefined }

const laneFor = (kind: Kind): 'submitter' | 'reviewer' => (kind === 'patch' ? 'submitter' : 'reviewer')

/** A pack that was kept, when it is whole. */
async function readKept(path: string): Promise<ContextPack | undefined> {
  try {
    const { text, manifest } = JSON.parse(await readFile(path, 'utf8')) as { text: string; manifest: unknown }
    const parsed = ContextManifest.parse(manifest)
    return parsed.packSha256 === digestOf(text) ? { text, manifest: parsed } : undefined
  } catch {
    return undefined
  }
}

async function keep(path: string, pack: ContextPack): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(`${path}.draft`, JSON.stringify(pack))
  await rename(`${path}.draft`, path)
}

/**
 * The packs of a season: one a task and role, made once and kept, so that every competitor is shown the same bytes, also after
 * a restart and where a served reranker would answer otherwise.
 */
export function createContextPacks(request: PacksRequest): ContextPacks {
  const { season, dataDir, onEvent } = request
  const { retrieval } = season
  const variant = ContextVariant.safeParse(retrieval.variant)
  if (!variant.success)
    throw new InputError(`retrieval.variant: there is no variant ${retrieval.variant}`, {
      place: season.id,
      remedy: `use ${ContextVariant.options.join(', ')}`,
    })
  const tokenizer = retrieval.tokenizer ?? 'bytes'
  const packs = new Map<string, ContextPack>()
  let tools: Promise<{ syntax: Syntax; countTokens: CountTokens }> | undefined
  const openTools = async () => ({
    syntax: await openSyntax(readWasm),
    countTokens: await loadTokenizer(tokenizer),
  })

  const retrieveFor = async (
    task: PreparedTask,
    kinds: readonly Kind[],
    name: Exclude<ContextVariant, 'none' | 'whole-files'>,
  ): Promise<Map<Kind, ContextPack>> => {
    tools ??= openTools()
    const { syntax, countTokens } = await tools
    const { language, baseCommit, repository } = task.loaded.task
    const commit = (await git(task.template, ['rev-parse', 'HEAD'])).toString('utf8').trim()
    const corpus = await openGitCorpus(task.template, commit)
    try {
      const index = await openTreeIndex({
        corpus,
        laneOf: createLaneOf(languages[language]),
        // Tasks of one repository share most of their blobs.
        file: join(dataDir, 'context', `${digestOf(`task ${repository.name}`).slice(0, 24)}.idx`),
        countBlobs: countHere,
        now: request.now,
      })
      const made = new Map<Kind, ContextPack>()
      for (const kind of kinds) {
        const { text, manifest } = await retrieve({
          index,
          blobs: createBlobCache(corpus),
          issue: statementOf(task.loaded, season.statement),
          lane: laneFor(kind),
          variant: name,
          budgetTokens: retrieval.budgetTokens,
          tokenizer,
          countTokens,
          cut: (file, bytes) => cutFile(syntax, file.outline, bytes),
          reranker: request.reranker,
          base: { kind: 'commit', id: baseCommit },
          signal: request.signal,
        })
        if (manifest.rerank.kind === 'fell-back' && manifest.rerank.model !== '')
          onEvent({
            kind: 'warning',
            message: `${task.loaded.task.id}: the reranker gave nothing, so the lexical order stands: ${manifest.rerank.reason}`,
          })
        made.set(kind, { text, manifest })
      }
      return made
    } finally {
      await corpus.close()
    }
  }

  /** Everything that a pack depends on. */
  const nameOf = (kind: Kind, task: PreparedTask): string =>
    digestOfValue({
      task: task.loaded.digest,
      statement: statementOf(task.loaded, season.statement),
      kind,
      retrieval,
      indexVersion,
      plans: VARIANTS,
    })

  const packTask = async (task: PreparedTask): Promise<void> => {
    const name = variant.data
    if (name === 'none') return
    if (name === 'whole-files') {
      for (const kind of ['patch', 'tests'] as const)
        packs.set(nameOf(kind, task), {
          text: packWholeFiles({
            base: task.base,
            adapter: languages[task.loaded.task.language],
            lane: laneFor(kind),
            budgetTokens: retrieval.budgetTokens,
          }),
          manifest: undefined,
        })
      return
    }
    const missing: Kind[] = []
    const pathOf = (kind: Kind): string => join(dataDir, 'context', 'packs', `${nameOf(kind, task)}.json`)
    for (const kind of ['patch', 'tests'] as const) {
      const kept = await readKept(pathOf(kind))
      if (kept) packs.set(nameOf(kind, task), kept)
      else missing.push(kind)
    }
    if (missing.length === 0) return
    for (const [kind, pack] of await retrieveFor(task, missing, name)) {
      await keep(pathOf(kind), pack)
      packs.set(nameOf(kind, task), pack)
    }
  }

  return {
    async prepare(tasks) {
      for (const task of tasks) await packTask(task)
    },
    packFor(kind, task) {
      if (variant.data === 'none') return NOTHING
      const pack = packs.get(nameOf(kind, task))
      if (!pack) throw new Error(`no pack was prepared for ${task.loaded.task.id}`)
      return pack
    },
  }
}
