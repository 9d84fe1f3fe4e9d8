import type { ChatMessage } from '../schema/model.ts'
import type { PatchNote } from '../schema/tree.ts'
import { PATCH_BLIND } from './prompts/patch-blind.ts'
import { RETRY } from './prompts/retry.ts'
import { TESTS_BLIND } from './prompts/tests-blind.ts'

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
}

export interface Prompt {
  readonly version: string
  readonly messages: readonly ChatMessage[]
}

/** Fills the places. Texts that are filled in may hold braces themselves: they are not read again. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{([a-z]\w*)\}/gi, (place, name: string) => values[name] ?? place)

/** The first messages for one role of the blind protocol. */
export function renderPrompt(input: PromptInput): Prompt {
  const template = input.kind === 'patch' ? PATCH_BLIND : TESTS_BLIND
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
