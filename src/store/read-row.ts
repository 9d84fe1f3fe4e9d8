import type { z } from 'zod'
import { EnvironmentError, InputError } from '../errors.ts'

/** Checks what the database gave back. Throws EnvironmentError that names table, key and field. */
export function readRow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  table: string,
  key: string,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new EnvironmentError(`the row does not fit its schema: ${firstIssue(result.error)}`, {
    place: `table ${table}, key ${key}`,
    remedy: 'restore the database from a backup, or remove the row and play again',
    cause: result.error,
  })
}

/** Checks what is to be written, so that a broken record never enters. Throws InputError that names table and field. */
export function checkRecord<Schema extends z.ZodType>(
  schema: Schema,
  value: z.input<Schema>,
  table: string,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new InputError(`the record does not fit its schema: ${firstIssue(result.error)}`, {
    place: `table ${table}`,
    cause: result.error,
  })
}

function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues
  return issue ? `${issue.path.join('.') || 'the record'}: ${issue.message}` : error.message
}
