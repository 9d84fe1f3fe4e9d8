import { readFile } from 'node:fs/promises'
import { InputError } from '../errors.ts'
import { parseInput } from '../schema/parse.ts'
import { PriceList } from '../schema/price.ts'
import { parseYamlText } from './read-season.ts'

/** Reads a price list, YAML or JSON, in the form of `prices` of a season file. Throws InputError that names the field. */
export async function readPrices(path: string): Promise<PriceList> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new InputError('the price list cannot be read', { place: path, remedy: 'check the path', cause })
  }
  return parseInput(PriceList, parseYamlText(text, path), path)
}
