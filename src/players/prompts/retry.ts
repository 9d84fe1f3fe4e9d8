import type { PromptTemplate } from '../render-prompt.ts'

/** Said after an answer that could not be used. Part of the version of the prompt before it: change both together. */
export const RETRY: Omit<PromptTemplate, 'version'> = {
  system: '',
  user: `Your answer could not be used: {reason}

{notes}Give the whole answer again, in the format described above.`,
  values: {},
}
