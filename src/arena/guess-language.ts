import { InputError } from '../errors.ts'
import type { LanguageId } from '../schema/language.ts'
import type { RepoView } from '../schema/tree.ts'
import { findCiJob } from './find-ci-job.ts'

const ENDINGS: Readonly<Record<LanguageId, RegExp>> = {
  cpp: /\.(c|cc|cpp|cxx|h|hh|hpp|hxx)$/,
  python: /\.pyi?$/,
  rust: /\.rs$/,
  go: /\.go$/,
}

/** The language of the job that runs the tests; undefined when there is no such job, or none that can be told. */
function languageOfCi(view: RepoView): LanguageId | undefined {
  try {
    return findCiJob(view, {}, '').language
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

/**
 * The language whose rules hold for a repository: that of its test job, else the one that most of its files are in.
 * Undefined when no file is in a language that the arena knows.
 */
export function guessLanguage(view: RepoView): LanguageId | undefined {
  const told = languageOfCi(view)
  if (told !== undefined) return told
  const counts = Object.entries(ENDINGS).map(([language, ending]) => ({
    language: language as LanguageId,
    files: view.list().filter((path) => ending.test(path)).length,
  }))
  const most = counts.reduce((best, one) => (one.files > best.files ? one : best))
  return most.files === 0 ? undefined : most.language
}
