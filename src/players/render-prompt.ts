import type { Feedback } from '../schema/feedback.ts'
import type { Hint } from '../schema/hint.ts'
import type { Protocol } from '../schema/match.ts'
import type { ChatMessage } from '../schema/model.ts'
import type { PatchNote } from '../schema/tree.ts'
import { fill } from './fill.ts'
import { PATCH_PAPER, TESTS_PAPER } from './prompts/paper.ts'
import { PATCH_BLIND } from './prompts/patch-blind.ts'
import { PATCH_SIGHTED } from './prompts/patch-sighted.ts'
import { RETRY } from './prompts/retry.ts'
import { TESTS_BLIND } from './prompts/tests-blind.ts'
import { TESTS_SIGHTED } from './prompts/tests-sighted.ts'
import { renderFeedback } from './render-feedback.ts'
import { renderHints, renderPatch } from './render-patch.ts'

/** A versioned text with places in braces. Any change of the text is a new version: it is part of a generation's id. */
export interface PromptTemplate {
  readonly version: string
  readonly system: string
  readonly user: string
  /** Texts of the prompt's own. */
  readonly values: Readonly<Record<string, string>>
}

export interface PromptInput {
  readonly kind: 'patch' | 'tests'
  readonly protocol: Protocol
  /** owner/name. */
  readonly repository: string
  /** The language's name for people. */
  readonly language: string
  readonly issue: string
  /** Parts of the repository, as retrieval packed them; '' when none are given. */
  readonly context: string
  /** Path of the workflow file that judges. */
  readonly workflow: string
  /** The language adapter's words: where tests live, how they run. */
  readonly conventions: string
  readonly caps: { readonly cases: number; readonly addedLines: number }
  /** The rival's patch as a diff, and where it changed most; for a reviewer who sees it. */
  readonly patch: string
  readonly hints: readonly Hint[]
  readonly feedback: readonly Feedback[]
}

export interface Prompt {
  readonly version: string
  readonly messages: readonly ChatMessage[]
}

const BLIND = { patch: PATCH_BLIND, tests: TESTS_BLIND }

/** Best of k draws several answers of the blind prompts. */
const TEMPLATES: Readonly<Record<Protocol, Readonly<Record<PromptInput['kind'], PromptTemplate>>>> = {
  blind: BLIND,
  'best-of-k': BLIND,
  sighted: { patch: PATCH_SIGHTED, tests: TESTS_SIGHTED },
  paper: { patch: PATCH_PAPER, tests: TESTS_PAPER },
}

/** The first messages for one role of a protocol. */
export function renderPrompt(input: PromptInput): Prompt {
  const template = TEMPLATES[input.protocol][input.kind]
  const values: Record<string, string> = {
    ...template.values,
    repository: input.repository,
    language: input.language,
    issue: input.issue.trim(),
    context: input.context.trim() === '' ? '(no files are shown)' : input.context.trimEnd(),
    workflow: input.workflow,
    conventions: input.conventions.trim(),
    cases: String(input.caps.cases),
    addedLines: String(input.caps.addedLines),
    patch: renderPatch(input.patch),
    hints: renderHints(input.hints),
    feedback: renderFeedback(input.feedback),
  }
  // Caps are part of what a reviewer is told and of what is cut: other caps, another version.
  const version =
    input.kind === 'patch'
      ? template.version
      : `${template.version}/${input.caps.cases}/${input.caps.addedLines}`
  return {
    version,
    messages: [
      { role: 'system', content: fill(template.system, values) },
      { role: 'user', content: fill(template.user, values) },
    ],
  }
}

/** At most this many notes are told to a model. */
const MOST_NOTES = 20

/** Characters of the reason that are told. */
const MOST_REASON = 2000

/** What a model is told before it is asked again. */
export function renderRetry(reason: string, notes: readonly PatchNote[]): ChatMessage {
  const told = notes
    .slice(0, MOST_NOTES)
    .map((note) => `- ${note.action}${note.path === '' ? '' : ` ${note.path}`}: ${note.reason}\n`)
    .join('')
  const values = {
    reason: reason.slice(0, MOST_REASON),
    notes: told === '' ? '' : `What was done with it:\n${told}\n`,
  }
  return { role: 'user', content: fill(RETRY.user, values) }
}

/** Messages as one text, for the record and for people. */
export const promptText = (messages: readonly ChatMessage[]): string =>
  messages.map((message) => `[${message.role}]\n${message.content}\n`).join('\n')
