import { fill } from './fill.ts'
import { CLARITY } from './prompts/clarity.ts'
import { VERIFY } from './prompts/verify.ts'
import { renderPatch } from './render-patch.ts'
import type { Prompt, PromptTemplate } from './render-prompt.ts'

export interface AssessedTask {
  /** owner/name. */
  readonly repository: string
  /** The language's name for people. */
  readonly language: string
  readonly issue: string
}

const render = (template: PromptTemplate, values: Readonly<Record<string, string>>): Prompt => ({
  version: template.version,
  messages: [
    { role: 'system', content: template.system },
    { role: 'user', content: fill(template.user, values) },
  ],
})

/** Asks whether a patch resolves its issue. `context`: parts of the repository, as retrieval packed them. */
export const renderVerify = (task: AssessedTask, context: string, patch: string): Prompt =>
  render(VERIFY, {
    repository: task.repository,
    language: task.language,
    issue: task.issue.trim(),
    context: context.trim() === '' ? '(no files are shown)' : context.trimEnd(),
    patch: renderPatch(patch),
  })

/** Asks how clearly an issue says what is to be done. */
export const renderClarity = (task: AssessedTask): Prompt =>
  render(CLARITY, { repository: task.repository, language: task.language, issue: task.issue.trim() })
