import { readFile } from 'node:fs/promises'
import { InputError } from '../errors.ts'
import { parseYamlText } from '../match/read-season.ts'
import { parseInput } from '../schema/parse.ts'
import { AssessorSpec } from '../schema/scorer.ts'

/** Reads a file with a verifier's or a judge's settings: `endpoint`, and what may stand beside it. YAML or JSON. */
export async function readAssessor(path: string): Promise<AssessorSpec> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new InputError('the file cannot be read', { place: path, remedy: 'check --endpoint', cause })
  }
  return parseInput(AssessorSpec, parseYamlText(text, path), path)
}
