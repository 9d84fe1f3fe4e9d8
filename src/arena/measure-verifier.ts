import { join } from 'node:path'
import type { Config } from '../config.ts'
import { InputError } from '../errors.ts'
import { mapLimited } from '../match/limit.ts'
import { areaUnderCurve } from '../match/verifier-quality.ts'
import type { AddressPolicy } from '../models/address-guard.ts'
import { renderDiff } from '../patch/render-diff.ts'
import { NO_BUDGET } from '../players/spending.ts'
import { toAppliedChanges } from '../schema/applied.ts'
import { digestOf } from '../schema/canonical.ts'
import type { OnEvent } from '../schema/event.ts'
import { Season } from '../schema/match.ts'
import type { AssessorSpec } from '../schema/scorer.ts'
import type { Store } from '../store/store.ts'
import { loadTask } from '../task/load.ts'
import { createContextPacks } from './context-packs.ts'
import type { MutantReport } from './mutants.ts'
import { putInPlay } from './tasks-in-play.ts'
import { createVerifier } from './verifier.ts'

export interface MeasureVerifierRequest {
  readonly spec: AssessorSpec
  /** Each with the mutants of its task folder. */
  readonly tasks: readonly { readonly folder: string; readonly mutants: MutantReport['mutants'] }[]
  /** Of the files that are shown; 0 for none. */
  readonly contextTokens: number
  readonly config: Config
  readonly templates: string
  readonly store: Store
  readonly addresses: AddressPolicy
  readonly now: () => number
  readonly onEvent: OnEvent
  readonly signal?: AbortSignal | undefined
}

export interface AssessedPatch {
  /** `golden`, or the mutant's operator and place. */
  readonly patch: string
  readonly score: number | null
  readonly how: 'first-token' | 'samples' | null
  /** Why there is no score. */
  readonly reason: string | null
}

export interface VerifierReport {
  readonly model: string
  readonly tasks: readonly {
    readonly task: string
    /** Golden against this task's own mutants. */
    readonly auc: number | null
    readonly patches: readonly AssessedPatch[]
  }[]
  /** The mean over tasks; null where no task has one. */
  readonly auc: number | null
  readonly unscored: number
}

/** Patches asked about at once; how many really are is the endpoint's pace. */
const WIDTH = 8

/** How well a verifier tells golden patches from mutants of them. Nothing is run: mutants were found before. */
export async function measureVerifier(request: MeasureVerifierRequest): Promise<VerifierReport> {
  const { spec, config, now, onEvent, signal } = request
  const verifier = createVerifier({ ...request, budget: NO_BUDGET, keepFailures: false })
  const { retrieval, statement } = Season.shape
  const packs = createContextPacks({
    season: {
      id: 'verifier',
      statement: statement.parse(undefined),
      retrieval: retrieval.parse(
        request.contextTokens === 0 ? {} : { variant: 'ours', budgetTokens: request.contextTokens },
      ),
    },
    dataDir: config.dataDir,
    reranker: undefined,
    now,
    onEvent,
    signal,
  })
  const measure = async ({ folder, mutants }: MeasureVerifierRequest['tasks'][number]) => {
    const loaded = await loadTask(folder)
    const { prepared } = await putInPlay(loaded, request.templates)
    const { golden, base } = prepared
    if (golden === null)
      throw new InputError('goldenPatch: null: there is no right patch to be told', {
        place: join(folder, 'task.json'),
      })
    await packs.prepare([prepared])
    const pack = packs.packFor('patch', prepared)
    const diff = renderDiff(base, toAppliedChanges(golden.changes))
    const asked = [
      { patch: 'golden', diff },
      ...mutants.map(({ operator, path, line, diff }) => ({ patch: `${operator} ${path}:${line}`, diff })),
    ]
    const patches = await mapLimited(asked, WIDTH, async ({ patch, diff }): Promise<AssessedPatch> => {
      const { outcome } = await verifier.verify({
        task: prepared,
        issue: loaded.statements.original,
        pack,
        subject: digestOf(diff),
        diff,
      })
      return outcome.kind === 'scored'
        ? { patch, score: outcome.score, how: outcome.how, reason: null }
        : { patch, score: null, how: null, reason: outcome.reason }
    })
    const scoresOf = (part: readonly AssessedPatch[]): readonly number[] =>
      part.flatMap(({ score }) => score ?? [])
    const auc = areaUnderCurve(scoresOf(patches.slice(0, 1)), scoresOf(patches.slice(1)))
    return { task: loaded.task.id, auc, patches }
  }
  try {
    const tasks = []
    for (const task of request.tasks) tasks.push(await measure(task))
    const areas = tasks.flatMap(({ auc }) => auc ?? [])
    return {
      model: spec.endpoint.model,
      tasks,
      auc: areas.length === 0 ? null : areas.reduce((sum, area) => sum + area, 0) / areas.length,
      unscored: tasks.flatMap(({ patches }) => patches).filter(({ score }) => score === null).length,
    }
  } finally {
    await verifier.close()
  }
}
