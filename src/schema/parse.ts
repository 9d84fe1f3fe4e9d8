import type { z } from 'zod'
import { InputError } from '../errors.ts'

/** `ci.jobs[0]` for people, from zod's path. */
const fieldName = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, part) =>
      typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`,
    '',
  )

/**
 * Checks a value that came from outside. Throws InputError with every fault, at most five, as `place: field: what is wrong`.
 * `remedy` tells where the format is described.
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place: string,
  remedy?: string,
): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const faults = result.error.issues.map((issue) => {
    const field = fieldName(issue.path)
    return field === '' ? issue.message : `${field}: ${issue.message}`
  })
  const more = faults.length > 5 ? `, and ${faults.length - 5} more` : ''
  throw new InputError(`${faults.slice(0, 5).join(', ')}${more}`, { place, ...(remedy ? { remedy } : {}) })
}

/** Parses JSON text; the error names the place and, where V8 tells it, the line. */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    const position = /position (\d+)/.exec(message)?.[1]
    const line = position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
    throw new InputError(`not valid JSON (${message})`, {
      place,
      ...(line === undefined ? {} : { line }),
      cause,
    })
  }
}
