import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { InputError } from '../errors.ts'

/** 0 done · 1 the answer is no · 2 wrong use or broken input · 3 the environment broke. */
export type ExitCode = 0 | 1 | 2 | 3

export interface CommandContext {
  readonly config: Config
  /** Flags of this command, checked against its `options`. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly operands: readonly string[]
  /** Whether the answer goes out as one JSON document. */
  readonly json: boolean
  /** The user's folder: relative operands are relative to it. */
  readonly folder: string
  /** The arena's own folder: examples, wrappers. */
  readonly home: string
  /** Writes to standard output; only answers go there. */
  readonly out: (text: string) => void
  /** Writes to standard error; progress and remarks go there. */
  readonly err: (text: string) => void
  /** Whether standard error is a terminal that can rewrite its last line. */
  readonly live: boolean
  /** Aborted by Ctrl-C and by SIGTERM. */
  readonly signal: AbortSignal
}

type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** The value's name in the help; none for a switch. */
  readonly value?: string
  readonly help: string
}

export interface Command {
  readonly name: string
  readonly summary: string
  /** What stands behind the name: `TASK…`, `ROUND`; empty for none. */
  readonly operands: string
  /** How many operands may be given. */
  readonly arity: readonly [number, number]
  readonly options: Readonly<Record<string, Option>>
  readonly examples: readonly string[]
  run(context: CommandContext): Promise<ExitCode>
}

/** Options of every command. */
export const SHARED_OPTIONS: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', help: 'print one JSON document on standard output' },
  data: { type: 'string', value: 'DIR', help: 'folder of the embedded default (ARENA_DATA; .arena)' },
  sandbox: { type: 'string', value: 'KIND', help: 'bubblewrap, docker or auto (ARENA_SANDBOX; auto)' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
}

export function helpOf(command: Command): string {
  const optionLines = Object.entries({ ...command.options, ...SHARED_OPTIONS }).map(([name, option]) => {
    const flag = `${option.short ? `-${option.short}, ` : ''}--${name}${option.value ? ` ${option.value}` : ''}`
    return `  ${flag.padEnd(28)} ${option.help}`
  })
  return [
    `arena ${command.name}${command.operands ? ` ${command.operands}` : ''}`,
    '',
    command.summary,
    '',
    'Options',
    ...optionLines,
    '',
    'Examples',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

export interface ParsedCommand {
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly operands: readonly string[]
}

/** Throws InputError that names the flag and the help. */
export function parseCommand(command: Command, args: readonly string[]): ParsedCommand {
  const remedy = `see arena ${command.name} --help`
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: [...args],
      options: Object.fromEntries(
        Object.entries({ ...command.options, ...SHARED_OPTIONS }).map(([name, { type, short }]) => [
          name,
          short ? { type, short } : { type },
        ]),
      ),
      allowPositionals: true,
    })
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split('. ')[0] ?? cause.message) : String(cause)
    throw new InputError(message, { remedy, cause })
  }
  const [least, most] = command.arity
  const flags = parsed.values as Record<string, string | boolean | undefined>
  if (!flags.help && (parsed.positionals.length < least || parsed.positionals.length > most))
    throw new InputError(
      `arena ${command.name} takes ${least === most ? least : `${least} to ${most}`} operands (${command.operands || 'none'}), not ${parsed.positionals.length}`,
      { remedy },
    )
  return { flags, operands: parsed.positionals }
}

/** A flag's value as text. Throws InputError when it must be given and is not. */
export function textFlag(context: CommandContext, name: string): string | undefined
export function textFlag(context: CommandContext, name: string, required: true): string
export function textFlag(context: CommandContext, name: string, required?: true): string | undefined {
  const value = context.flags[name]
  if (typeof value === 'string' && value !== '') return value
  if (required) throw new InputError(`--${name} is missing`, { remedy: 'see --help' })
  return undefined
}

/** A flag's value as a whole number in a range. Throws InputError when it is none. */
export function numberFlag(
  context: CommandContext,
  name: string,
  range: readonly [number, number],
): number | undefined {
  const text = textFlag(context, name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isInteger(value) || value < range[0] || value > range[1])
    throw new InputError(`--${name} ${text}: expected a whole number from ${range[0]} to ${range[1]}`)
  return value
}
