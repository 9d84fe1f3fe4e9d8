import type { TestResult } from '../schema/test-result.ts'

/** What a step told the runner by `::` lines in its output. */
export interface LogCommands {
  readonly annotations: readonly string[]
  readonly masks: readonly string[]
  readonly outputs: readonly (readonly [string, string])[]
}

/** GitHub shows this many annotations of each level a step. */
const ANNOTATIONS = 10
const ANNOTATION_LENGTH = 500
/** A mask shorter than this would black out ordinary text; more masks than this are a step's mischief. */
const MASK_LENGTH = 3
const MASKS = 100

/** Reads error, warning, notice, add-mask, set-output and stop-commands; other commands only shape the log. */
export function readLogCommands(log: string): LogCommands {
  const annotations: string[] = []
  const masks: string[] = []
  const outputs: [string, string][] = []
  const counts = new Map<string, number>()
  let resumeToken: string | null = null
  for (const line of log.split('\n')) {
    const command = parseCommand(line)
    if (!command) continue
    const { name, properties, value } = command
    if (resumeToken !== null) {
      if (name === resumeToken) resumeToken = null
      continue
    }
    if (name === 'stop-commands') resumeToken = value
    if (name === 'add-mask') masks.push(...value.split('\n').filter((part) => part.length >= MASK_LENGTH))
    if (name === 'set-output' && properties.name) outputs.push([properties.name, value])
    if (name === 'error' || name === 'warning' || name === 'notice') {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      if (count <= ANNOTATIONS) annotations.push(annotationText(name, properties, value))
    }
  }
  return { annotations, masks: masks.slice(0, MASKS), outputs }
}

/** The log with every masked value as `***`, the longest first so that no rest of one shows. */
export function maskLog(log: string, masks: readonly string[]): string {
  return [...masks]
    .sort((a, b) => b.length - a.length)
    .reduce((text, mask) => text.replaceAll(mask, '***'), log)
}

/** Test results with every masked value as `***` in what the code under test may have written. */
export const maskResults = (results: readonly TestResult[], masks: readonly string[]): TestResult[] =>
  results.map((result) => ({
    ...result,
    suite: maskLog(result.suite, masks),
    name: maskLog(result.name, masks),
    ...(result.message === undefined ? {} : { message: maskLog(result.message, masks) }),
  }))

interface Command {
  readonly name: string
  readonly properties: Readonly<Record<string, string>>
  readonly value: string
}

/** `::name key=value,…::text`. By plain searches: a line is a candidate's, and a pattern could be made to run for hours. */
function parseCommand(line: string): Command | undefined {
  const text = line.trimStart()
  const end = text.startsWith('::') ? text.indexOf('::', 2) : -1
  if (end < 0) return undefined
  const head = text.slice(2, end)
  const space = head.indexOf(' ')
  const name = (space < 0 ? head : head.slice(0, space)).toLowerCase()
  const pairs = (space < 0 ? '' : head.slice(space + 1)).split(',').flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0
      ? [[pair.slice(0, equals).trim(), unescapeProperty(pair.slice(equals + 1))] as const]
      : []
  })
  const value = text.slice(end + 2)
  return {
    name,
    properties: Object.fromEntries(pairs),
    value: unescapeValue(value.endsWith('\r') ? value.slice(0, -1) : value),
  }
}

const unescapeValue = (text: string): string =>
  text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')

const unescapeProperty = (text: string): string =>
  text
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%25', '%')

function annotationText(
  level: string,
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const place = properties.file ? `${properties.file}${properties.line ? `:${properties.line}` : ''}: ` : ''
  return `${level}: ${place}${message}`.slice(0, ANNOTATION_LENGTH)
}
