import { type ShellCommand, type ShellWord, splitCommands } from './shell.ts'

/** Commands that only set the scene for the ones after them: they are run again before each case. */
const SCENE = ['cd', 'pushd', 'popd', 'export', 'unset', 'source', '.', 'set', 'shopt', 'ulimit', 'umask']

/** A test command found in a step's script. */
export interface FoundCommand {
  readonly command: ShellCommand
  /** Words up to and with the tool's own name: `poetry run pytest`, `python -m pytest`, `go`. */
  readonly head: readonly ShellWord[]
  readonly args: readonly ShellWord[]
  /** Everything of the script before it, to be run once; redone as far as it sets the scene. */
  readonly before: string
  readonly scene: string
}

/** Where the tool's own name ends in a command's words; undefined when the command is not the tool's. */
export type FindTool = (words: readonly ShellWord[]) => number | undefined

/** The first command of a script that is the tool's. */
export function findCommand(script: string, findTool: FindTool): FoundCommand | undefined {
  const commands = splitCommands(script)
  for (const [index, command] of commands.entries()) {
    const end = findTool(command.words)
    if (end === undefined) continue
    const earlier = commands.slice(0, startOfPipeline(commands, index))
    const scene = earlier
      .filter((candidate) => candidate.depth === 0 && setsScene(candidate))
      .map((candidate) => script.slice(candidate.start, candidate.end))
      .join('\n')
    const last = earlier.at(-1)
    return {
      command,
      head: command.words.slice(0, end),
      args: command.words.slice(end),
      before: command.depth === 0 && last !== undefined ? script.slice(0, last.end) : scene,
      scene,
    }
  }
  return undefined
}

function startOfPipeline(commands: readonly ShellCommand[], index: number): number {
  let at = index
  while (at > 0 && commands[at]?.operator.startsWith('|') && commands[at]?.operator !== '||') at -= 1
  return at
}

const setsScene = ({ words, assignments }: ShellCommand): boolean =>
  words.length === 0 ? assignments.length > 0 : SCENE.includes(words[0]?.text ?? '')

/** What an option of a tool is for, and whether a value stands in the next word. */
export interface OptionRule {
  readonly keep: boolean
  readonly value: boolean
}

/**
 * The options that a rule keeps, as written. `ruleOf`: by the option without its `=value`, given the word after it.
 * Everything that is no option (a path, a package) selects, and is dropped; so is all after `--`.
 */
export function keptOptions(
  args: readonly ShellWord[],
  ruleOf: (option: string, next: string | undefined) => OptionRule,
): readonly string[] {
  const kept: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined || word.text === '--') break
    if (!word.text.startsWith('-') || word.text === '-') continue
    const [option = ''] = word.text.split('=')
    const rule = ruleOf(option, args[at + 1]?.text)
    const takesNext = rule.value && !word.text.includes('=')
    const next = takesNext ? args[at + 1] : undefined
    if (rule.keep) kept.push(word.raw, ...(next ? [next.raw] : []))
    if (takesNext) at += 1
  }
  return kept
}

/** Quotes one argument for a POSIX shell. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

/** Lines that are not empty, as a script. */
export const scriptOf = (...lines: readonly string[]): string =>
  lines.filter((line) => line !== '').join('\n')

/** The command's own assignments and head, as written. */
export const headText = ({ command, head }: FoundCommand): string =>
  [...command.assignments, ...head].map((word) => word.raw).join(' ')
