/**
 * The errors that leave a part of the arena. An error means that the world is broken or the input is wrong; a
 * lost round is a value (see schema/verdict.ts). Every message names the place and the remedy in one line.
 */

/** `input`: wrong use or broken input, exit code 2. `environment`: the machine or a service broke, exit code 3. */
export type ErrorKind = 'input' | 'environment'

export interface ErrorFields {
  /** The file, URL or field at fault. */
  readonly place?: string
  /** 1-based line in `place`. */
  readonly line?: number
  /** What the reader can do about it; appended to the message. */
  readonly remedy?: string
  readonly cause?: unknown
}

export class ArenaError extends Error {
  readonly kind: ErrorKind
  /** The message without its place and remedy: what may be said where the place is nobody's business. */
  readonly summary: string
  readonly place: string | undefined
  readonly line: number | undefined
  readonly remedy: string | undefined

  constructor(kind: ErrorKind, message: string, fields: ErrorFields = {}) {
    const where = fields.place ? `${fields.place}${fields.line ? `:${fields.line}` : ''}: ` : ''
    const remedy = fields.remedy ? `; ${fields.remedy}` : ''
    super(`${where}${message}${remedy}`, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.name = new.target.name
    this.kind = kind
    this.summary = message
    this.place = fields.place
    this.line = fields.line
    this.remedy = fields.remedy
  }
}

/** The user gave something that cannot be used: a bad file, flag or value. */
export class InputError extends ArenaError {
  constructor(message: string, fields: ErrorFields = {}) {
    super('input', message, fields)
  }
}

/** The machine or a service that the arena needs is broken or missing: disk, database, daemon, toolchain. */
export class EnvironmentError extends ArenaError {
  constructor(message: string, fields: ErrorFields = {}) {
    super('environment', message, fields)
  }
}

/** The sandbox could not be made or died from outside: evidence of an infrastructure fault, retry later. */
export class RunnerUnavailableError extends EnvironmentError {}

/** One line for a person, from anything that was thrown. */
export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
