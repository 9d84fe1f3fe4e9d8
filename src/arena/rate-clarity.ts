import { languages } from '../../languages/index.ts'
import type { Config } from '../config.ts'
import type { AddressPolicy } from '../models/address-guard.ts'
import { createModel } from '../models/index.ts'
import { assess, assessmentId, ZERO_TO_THREE } from '../players/assess.ts'
import { renderClarity } from '../players/render-assessment.ts'
import { NO_BUDGET } from '../players/spending.ts'
import { digestOf } from '../schema/canonical.ts'
import type { AssessorSpec } from '../schema/scorer.ts'
import type { Store } from '../store/store.ts'
import { findTaskFolders, loadTask } from '../task/load.ts'

export interface RateClarityRequest {
  readonly spec: AssessorSpec
  /** Task folders, or folders of them; absolute. */
  readonly paths: readonly string[]
  readonly config: Config
  readonly store: Pick<Store, 'assessments' | 'blobs'>
  readonly addresses: AddressPolicy
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

export interface RatedClarity {
  readonly task: string
  /** 0 (one cannot tell what is asked) to 3; null where the model gave none. */
  readonly clarity: number | null
  readonly how: 'first-token' | 'samples' | null
  readonly reason: string | null
}

/** Asks a model how clearly each task's issue says what is to be done. Published beside a task; it decides nothing. */
export async function rateClarity(request: RateClarityRequest): Promise<readonly RatedClarity[]> {
  const { spec, store, now, signal } = request
  const model = createModel(
    { kind: 'endpoint', endpoint: spec.endpoint },
    { secret: request.config.secret, addresses: request.addresses, now, random: Math.random },
  )
  try {
    const rated: RatedClarity[] = []
    const folders = (await Promise.all(request.paths.map(findTaskFolders))).flat()
    for (const folder of folders) {
      const loaded = await loadTask(folder)
      const { id, repository, language } = loaded.task
      const issue = loaded.statements.original
      const asked = {
        kind: 'clarity' as const,
        task: loaded.digest,
        taskId: id,
        subject: digestOf(issue),
        spec,
        prompt: renderClarity({ repository: repository.name, language: languages[language].label, issue }),
        values: ZERO_TO_THREE,
        budget: NO_BUDGET,
      }
      const putBlob = (bytes: Uint8Array): Promise<string> => store.blobs.put(bytes)
      const known = await store.assessments.find(assessmentId(asked))
      const assessment =
        known?.outcome.kind === 'scored' ? known : await assess(asked, { model, now, putBlob, signal })
      if (assessment.outcome.kind === 'scored') await store.assessments.save(assessment)
      const { outcome } = assessment
      rated.push(
        outcome.kind === 'scored'
          ? { task: id, clarity: 3 * outcome.score, how: outcome.how, reason: null }
          : { task: id, clarity: null, how: null, reason: outcome.reason },
      )
    }
    return rated
  } finally {
    await model.close()
  }
}
