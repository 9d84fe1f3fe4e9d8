import {
  isBasicExpression,
  isBoolean,
  isMapping,
  isNumber,
  isScalar,
  isSequence,
  isString,
} from '@actions/workflow-parser'
import type { TemplateToken } from '@actions/workflow-parser/templates/tokens/template-token'
import { messageOf } from '../src/errors.ts'
import { WorkflowError } from './errors.ts'
import { evaluateExpression, type Scope } from './expressions.ts'
import type { Value, ValueMap } from './values.ts'
import { isValueMap, textOf } from './values.ts'

/** A node of the workflow file with its place; expressions in it are not evaluated yet. */
export type Token = TemplateToken

/** The member of a mapping; undefined when the token is no mapping or has no such key. */
export function find(token: Token | undefined, key: string): Token | undefined {
  return token && isMapping(token) ? token.find(key) : undefined
}

export function entries(token: Token | undefined): readonly (readonly [string, Token])[] {
  if (!token || !isMapping(token)) return []
  return Array.from({ length: token.count }, (_, index) => token.get(index)).map(
    (pair) => [pair.key.toString(), pair.value] as const,
  )
}

export function items(token: Token | undefined): readonly Token[] {
  if (!token || !isSequence(token)) return []
  return Array.from({ length: token.count }, (_, index) => token.get(index))
}

/** The token's value with every expression in it evaluated. Throws WorkflowError with file and line. */
export function evaluateToken(token: Token, scope: Scope): Value {
  if (isBasicExpression(token)) {
    try {
      return evaluateExpression(token.expression, scope)
    } catch (cause) {
      throw new WorkflowError(`cannot evaluate '${token.expression}': ${messageOf(cause)}`, {
        place: scope.path,
        ...(token.line === undefined ? {} : { line: token.line }),
        cause,
      })
    }
  }
  if (isString(token) || isNumber(token) || isBoolean(token)) return token.value
  if (isSequence(token)) return items(token).map((item) => evaluateToken(item, scope))
  if (isMapping(token)) return evaluateMapping(token, scope)
  return null
}

function evaluateMapping(token: Token, scope: Scope): ValueMap {
  return Object.fromEntries(entries(token).map(([key, value]) => [key, evaluateToken(value, scope)]))
}

export function evaluateText(token: Token | undefined, scope: Scope): string | undefined {
  if (!token) return undefined
  const value = evaluateToken(token, scope)
  return value === null ? undefined : textOf(value)
}

/** A mapping of texts, as `env` and `with` are; empty when the token is missing. */
export function evaluateTexts(token: Token | undefined, scope: Scope): Record<string, string> {
  const value = token ? evaluateToken(token, scope) : {}
  if (!isValueMap(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, textOf(member)]))
}

/** The expressions in a token, as written, without `${{ }}`. */
export function expressionsIn(token: Token | undefined): readonly string[] {
  if (!token) return []
  if (isBasicExpression(token)) return [token.expression]
  if (isSequence(token)) return items(token).flatMap(expressionsIn)
  return entries(token).flatMap(([, value]) => expressionsIn(value))
}

/** The text as the file has it, `${{ }}` included. */
export function sourceOf(token: Token | undefined): string | undefined {
  if (token && isBasicExpression(token)) return token.source ?? token.toString()
  return token && isScalar(token) ? token.toString() : undefined
}
