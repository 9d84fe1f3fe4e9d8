import { languages } from '../../languages/index.ts'
import type { Config } from '../config.ts'
import { type Choice, chooseByScore, chooseFirst } from '../match/choose.ts'
import { singleFlight } from '../match/limit.ts'
import { VERIFIER } from '../match/read-season.ts'
import type { AddressPolicy } from '../models/address-guard.ts'
import { createModel } from '../models/index.ts'
import type { Replay } from '../models/replay.ts'
import { assess, assessmentId, YES_OR_NO } from '../players/assess.ts'
import { renderVerify } from '../players/render-assessment.ts'
import type { Budget } from '../players/spending.ts'
import type { Assessment } from '../schema/assessment.ts'
import type { OnEvent } from '../schema/event.ts'
import type { Generation } from '../schema/match.ts'
import type { ChatModel } from '../schema/model.ts'
import type { PreparedTask } from '../schema/prepared.ts'
import type { AssessorSpec } from '../schema/scorer.ts'
import type { Store } from '../store/store.ts'
import type { ContextPack } from './context-packs.ts'

export interface VerifierRequest {
  readonly spec: AssessorSpec
  readonly config: Config
  readonly store: Pick<Store, 'assessments' | 'blobs'>
  readonly addresses: AddressPolicy
  readonly replay?: Replay | undefined
  readonly budget: Budget
  /** What could not be scored is not asked again: a season that goes on makes the same choice. */
  readonly keepFailures: boolean
  readonly now: () => number
  readonly onEvent: OnEvent
  readonly signal?: AbortSignal | undefined
}

/** A patch and what is shown beside it. */
export interface Verified {
  readonly task: PreparedTask
  readonly issue: string
  readonly pack: Pick<ContextPack, 'text'>
  /** Digest of its changes. */
  readonly subject: string
  readonly diff: string
}

export interface Verifier {
  /** Asks whether a patch is right, once: the same patch of the same task is found again. */
  verify(patch: Verified): Promise<Assessment>
  close(): Promise<void>
}

/** A served model that is asked whether patches are right. Throws InputError for a key or address that will not do. */
export function createVerifier(request: VerifierRequest): Verifier {
  const { spec, store, replay, now, onEvent, signal } = request
  let opened: ChatModel | undefined
  const modelOf = (): ChatModel => {
    opened ??= replay
      ? replay.modelOf(VERIFIER)
      : createModel(
          { kind: 'endpoint', endpoint: spec.endpoint },
          { secret: request.config.secret, addresses: request.addresses, now, random: Math.random },
        )
    return opened
  }
  if (!replay) modelOf()
  const flights = singleFlight<Assessment>()
  return {
    verify({ task, issue, pack, subject, diff }) {
      const { digest } = task.loaded
      const { id, repository, language } = task.loaded.task
      const about = { repository: repository.name, language: languages[language].label, issue }
      const asked = {
        kind: 'right' as const,
        task: digest,
        taskId: id,
        subject,
        spec,
        prompt: renderVerify(about, pack.text, diff),
        values: YES_OR_NO,
        budget: request.budget,
      }
      return flights(assessmentId(asked), async () => {
        const known = await store.assessments.find(assessmentId(asked))
        if (known && (request.keepFailures || known.outcome.kind === 'scored')) return known
        onEvent({
          kind: 'model-call',
          competitor: VERIFIER,
          attempt: 1,
          state: `asked about a patch of ${id}`,
        })
        const made = await assess(asked, {
          model: modelOf(),
          now,
          putBlob: (bytes) => store.blobs.put(bytes),
          signal,
        })
        if (made.outcome.kind === 'failed')
          onEvent({
            kind: 'warning',
            message: `the verifier gave no score for ${id}: ${made.outcome.reason}`,
          })
        if (request.keepFailures || made.outcome.kind === 'scored') await store.assessments.save(made)
        return made
      })
    },
    close: async () => {
      await opened?.close()
    },
  }
}

/** Chooses among drawn patches: by the verifier's scores, or the first that applies. Only patches that apply are asked about. */
export async function choosePatch(
  verifier: Verifier | undefined,
  model: string,
  patches: readonly Generation[],
  about: Omit<Verified, 'subject' | 'diff'>,
): Promise<Choice> {
  if (!verifier) return chooseFirst(patches)
  const scores = await Promise.all(
    patches.map(async ({ outcome }) => {
      if (outcome.kind !== 'applied') return { score: null, assessment: null }
      const { id, outcome: said } = await verifier.verify({
        ...about,
        subject: outcome.changes.digest,
        diff: outcome.applied,
      })
      return { score: said.kind === 'scored' ? said.score : null, assessment: id }
    }),
  )
  return chooseByScore(model, patches, scores)
}
