import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { InputError } from '../errors.ts'
import { digestOf, digestOfValue } from '../schema/canonical.ts'
import { answeringOf, Competitor } from '../schema/competitor.ts'
import type { Digest } from '../schema/ids.ts'
import { Season } from '../schema/match.ts'
import { parseInput } from '../schema/parse.ts'

/** A season file with its competitors read; task folders are found but not loaded. */
export interface SeasonFile {
  readonly season: Season
  /** Absolute paths, in the order of the file. */
  readonly taskPaths: readonly string[]
  readonly competitors: readonly Competitor[]
  /** Digest of what each competitor answers with: of recorded answers their bytes, of an endpoint its settings. */
  readonly settings: ReadonlyMap<string, Digest>
  /** 0, or how often the same was played before: new samples of the same competitors. */
  readonly repeat: number
}

/** Under this name the season's verifier is asked, recorded and priced. */
export const VERIFIER = 'verifier'

/** The five controls of every season (DESIGN: controls). */
export const CONTROLS: readonly Competitor[] = (
  [
    ['golden', 'Control: golden patch'],
    ['no-op', 'Control: no-op patch'],
    ['upstream-tests', 'Control: upstream tests'],
    ['empty-tests', 'Control: empty tests'],
    ['always-fail-tests', 'Control: always-fail tests'],
  ] as const
).map(([control, label]) =>
  Competitor.parse({ id: control, label, team: 'control', player: { kind: 'control', control } }),
)

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new InputError(`${what} cannot be read`, { place: path, remedy: 'check the path', cause })
  }
}

export function parseYamlText(text: string, place: string): unknown {
  try {
    return parseYaml(text)
  } catch (cause) {
    if (!(cause instanceof YAMLParseError)) throw cause
    const line = cause.linePos?.[0].line
    throw new InputError(cause.message.split('\n')[0] ?? 'not valid YAML', {
      place,
      ...(line === undefined ? {} : { line }),
      cause,
    })
  }
}

/** A folder's recorded answers, as a competitor. Its settings are the answers' bytes. */
async function readScripted(
  folder: string,
  place: string,
): Promise<{ competitor: Competitor; settings: Digest }> {
  let taskIds: string[]
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    taskIds = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  } catch (cause) {
    throw new InputError(`competitors: there is no folder ${folder}`, { place, cause })
  }
  const answers: [string, string, string][] = []
  for (const taskId of taskIds.sort())
    for (const file of (await readdir(join(folder, taskId))).sort())
      answers.push([taskId, file, digestOf(await readFile(join(folder, taskId, file)))])
  const name = basename(folder)
  return {
    competitor: parseInput(
      Competitor,
      { id: name, label: name, team: name, player: { kind: 'scripted', folder } },
      `${place}: competitors: ${name}`,
    ),
    settings: digestOfValue(answers),
  }
}

async function readCompetitor(
  entry: string,
  folder: string,
  place: string,
): Promise<{ competitor: Competitor; settings: Digest }> {
  const [kind, ...rest] = entry.split(':')
  const path = resolve(folder, rest.join(':'))
  if (kind === 'scripted' && rest.length > 0) return readScripted(path, place)
  if (kind === 'endpoint' && rest.length > 0) {
    const competitor = parseInput(
      Competitor,
      parseYamlText(await readText(path, 'the competitor'), path),
      path,
    )
    return { competitor, settings: digestOfValue(answeringOf(competitor)) }
  }
  throw new InputError(`competitors: ${entry}: expected scripted:FOLDER or endpoint:FILE`, { place })
}

/** Reads season.yml and its competitors. Throws InputError that names file, line and field. */
export async function readSeason(file: string): Promise<SeasonFile> {
  const place = resolve(file)
  const season = parseInput(Season, parseYamlText(await readText(place, 'the season file'), place), place)
  const folder = dirname(place)
  const read: { competitor: Competitor; settings: Digest }[] = []
  for (const entry of season.competitors) read.push(await readCompetitor(entry, folder, place))
  const ids = read.map(({ competitor }) => competitor.id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined)
    throw new InputError(`competitors: ${twice} stands there twice`, {
      place,
      remedy: 'give each its own name',
    })
  if (ids.some((id) => id === VERIFIER))
    throw new InputError(`competitors: ${VERIFIER} is the name of whoever chooses among patches`, {
      place,
      remedy: 'choose another name',
    })
  const taken = CONTROLS.find((control) => ids.includes(control.id))
  if (taken)
    throw new InputError(`competitors: ${taken.id} is the name of a control`, {
      place,
      remedy: 'choose another name',
    })
  return {
    season,
    taskPaths: season.tasks.map((path) => resolve(folder, path)),
    competitors: read.map(({ competitor }) => competitor),
    settings: new Map(read.map(({ competitor, settings }) => [competitor.id, settings])),
    repeat: 0,
  }
}
