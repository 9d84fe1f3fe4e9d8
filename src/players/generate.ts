import { InputError } from '../errors.ts'
import type { Answer, AnswerContent } from '../schema/answer.ts'
import type { ContextManifest } from '../schema/context.ts'
import { CompetitorId, Digest, Slug } from '../schema/ids.ts'
import type { Generation, ModelCall } from '../schema/match.ts'
import type { ChatMessage, ModelReply } from '../schema/model.ts'
import type { AppliedChanges, PatchNote } from '../schema/tree.ts'
import type { ForfeitReason } from '../schema/verdict.ts'
import { generationId } from './generation-id.ts'
import { toModelCall } from './model-call.ts'
import { readAnswer } from './read-answer.ts'
import { type Prompt, promptText, renderRetry } from './render-prompt.ts'
import { addSpent, allowanceOf, type Budget, NO_BUDGET, NOTHING_SPENT } from './spending.ts'
import { storableText } from './storable-text.ts'
import { stripThoughts } from './strip-thoughts.ts'

export interface GenerateRequest {
  /** Digest of the task. */
  readonly task: string
  readonly taskId: string
  readonly competitor: string
  /** Digest of the competitor's settings. */
  readonly settings: string
  readonly kind: 'patch' | 'tests'
  readonly statement: string
  readonly context: string
  /** What the context was made from; undefined when nothing was retrieved. */
  readonly manifest?: ContextManifest | undefined
  /** See GenerationIdentity. */
  readonly shown?: string | undefined
  readonly parent: string | null
  readonly repeat: number
  readonly sample?: number | undefined
  readonly temperature?: number | undefined
  readonly prompt: Prompt
  /** Answers asked for before the role forfeits, 1 or more. */
  readonly attempts: number
  /** Unlimited and without prices when left out. */
  readonly budget?: Budget
}

/** What became of an answer on the base commit, after the path policy of the role. */
export type ApplyOutcome =
  | {
      readonly kind: 'applied'
      /** The changes as a diff. */
      readonly applied: string
      readonly changes: AppliedChanges
      /** For tests: the declared cases in the order of the cap. */
      readonly cases: readonly { file: string; case: string }[]
      readonly overCap: readonly { file: string; case: string }[]
      readonly notes: readonly PatchNote[]
    }
  | {
      readonly kind: 'rejected'
      readonly reason: 'does-not-apply' | 'malformed' | 'empty' | 'no-cases'
      readonly detail: string
      readonly notes: readonly PatchNote[]
    }

export interface GeneratePorts {
  /** Asks the model. A fault of its endpoint is in the reply; what it throws ends the generation. */
  ask(
    messages: readonly ChatMessage[],
    attempt: number,
    ceiling: { readonly tokens?: number; readonly bytes?: number },
  ): Promise<ModelReply>
  apply(content: AnswerContent): Promise<ApplyOutcome>
  /** Milliseconds since 1970. */
  now(): number
  /** Keeps bytes by content. */
  putBlob(bytes: Uint8Array): Promise<string>
}

type Outcome = Generation['outcome']
type Forfeit = Extract<Outcome, { kind: 'forfeit' }>

export const isContent = (answer: Answer): answer is Extract<Answer, AnswerContent> =>
  answer.kind === 'diff' || answer.kind === 'edits' || answer.kind === 'files'

/** What the answer asked for, as given: before policy and normalisation. */
function givenText(answer: Answer, text: string): string {
  return storableText(
    answer.kind === 'diff' ? answer.diffs.map((diff) => diff.toString('utf8')).join('') : text,
  )
}

const storableNote = (note: PatchNote): PatchNote => ({
  action: note.action,
  path: storableText(note.path),
  reason: storableText(note.reason),
})

/** Characters of a detail, and notes of one answer, that are kept: a hostile answer makes any number. */
const MOST_DETAIL = 4000
const MOST_NOTES = 300

function storableNotes(notes: readonly PatchNote[]): PatchNote[] {
  const kept = notes.slice(0, MOST_NOTES).map(storableNote)
  const more = notes.length - kept.length
  return more === 0 ? kept : [...kept, { action: 'normalised', path: '', reason: `and ${more} more notes` }]
}

/** Characters of an unusable answer that are said again: enough to see what was meant, and room for the next one. */
const SAID_START = 24_000
const SAID_END = 4000

const shorten = (text: string): string =>
  text.length <= SAID_START + SAID_END ? text : `${text.slice(0, SAID_START)}\n[…]\n${text.slice(-SAID_END)}`

const forfeit = (
  reason: ForfeitReason,
  detail: string,
  given: string,
  notes: readonly PatchNote[],
): Forfeit => ({
  kind: 'forfeit',
  reason,
  detail: storableText(detail.slice(0, MOST_DETAIL)),
  given,
  notes: storableNotes(notes),
})

/** Reads one reply and tries it on the base commit. */
async function judgeReply(reply: ModelReply, ports: GeneratePorts): Promise<Outcome> {
  if (reply.error !== null)
    return forfeit('endpoint', storableText(reply.error), storableText(reply.text), [])
  const answer = readAnswer(reply.text, reply.stopReason)
  const given = givenText(answer, reply.text)
  if (!isContent(answer)) return forfeit(answer.kind, answer.reason, given, answer.notes)
  const result = await ports.apply(answer)
  const notes = [...answer.notes, ...result.notes]
  if (result.kind === 'rejected') return forfeit(result.reason, result.detail, given, notes)
  const { changes, cases, overCap } = result
  const applied = storableText(result.applied)
  return {
    kind: 'applied',
    given,
    applied,
    changes,
    cases: [...cases],
    overCap: [...overCap],
    notes: storableNotes(notes),
  }
}

const notAskedAgain = (outcome: Outcome, limit: string): Outcome =>
  outcome.kind === 'forfeit'
    ? { ...outcome, detail: `${outcome.detail}; not asked again: its ${limit} are used up` }
    : outcome

/** The exchange so far, and why its last answer could not be used; after a fault of the endpoint the same is asked again. */
function nextMessages(
  messages: readonly ChatMessage[],
  reply: ModelReply,
  outcome: Forfeit,
): readonly ChatMessage[] {
  if (outcome.reason === 'endpoint') return messages
  const said = stripThoughts(reply.text).text.trim()
  const content = said === '' ? '(no answer)' : shorten(said)
  return [...messages, { role: 'assistant', content }, renderRetry(outcome.detail, outcome.notes)]
}

/**
 * What one competitor brings for one role: asks, reads, applies; tells the model why an answer cannot be used and asks
 * again, `attempts` times in all or until its budget is used up. Then the role forfeits with the reason of the last
 * answer. Every call is kept. Throws what a port throws, a broken world, and InputError when the budget does not even hold
 * the first prompt.
 */
export async function generate(request: GenerateRequest, ports: GeneratePorts): Promise<Generation> {
  const { prompt, task, taskId, competitor, kind, parent, repeat, budget = NO_BUDGET } = request
  const calls: ModelCall[] = []
  let messages = prompt.messages
  let outcome: Outcome | undefined
  let spent = NOTHING_SPENT
  for (let attempt = 1; attempt <= request.attempts; attempt++) {
    const allowed = allowanceOf(budget, spent, messages)
    if (allowed.kind === 'spent') {
      if (outcome === undefined)
        throw new InputError(`limits: ${allowed.limit} do not hold the first prompt for ${kind}`, {
          place: taskId,
          remedy: 'raise the limit, or lower retrieval.budgetTokens',
        })
      outcome = notAskedAgain(outcome, allowed.limit)
      break
    }
    const reply = await ports.ask(messages, attempt, allowed)
    calls.push(
      await toModelCall(reply, { messages, attempt, sample: request.sample, budget, putBlob: ports.putBlob }),
    )
    spent = addSpent(spent, budget, reply, messages, reply.raw?.length ?? 0)
    const judged = await judgeReply(reply, ports)
    outcome = judged
    if (judged.kind === 'applied') break
    messages = nextMessages(messages, reply, judged)
  }
  if (outcome === undefined) throw new Error('a role is asked at least once')
  const { settings, statement, context, shown, sample, temperature } = request
  const asked = { task, competitor, settings, kind, promptVersion: prompt.version, statement, context, shown }
  return {
    id: generationId({ ...asked, parent, repeat, sample, temperature }),
    task: Digest.parse(task),
    taskId: Slug.parse(taskId),
    competitor: CompetitorId.parse(competitor),
    kind,
    parent: parent === null ? null : Digest.parse(parent),
    repeat,
    promptVersion: prompt.version,
    prompt: promptText(prompt.messages),
    calls,
    outcome,
    ...(request.manifest ? { context: request.manifest } : {}),
    createdAt: new Date(ports.now()).toISOString(),
  }
}
