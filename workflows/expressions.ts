import { data, Evaluator, Lexer, Parser } from '@actions/expressions'
import type { Value } from './values.ts'
import { isValueMap } from './values.ts'

/** What success(), failure() and cancelled() look at: the job's steps so far, or the needed jobs. */
export type JobStatus = 'success' | 'failure' | 'cancelled' | 'skipped'

const CONTEXT_NAMES = [
  'github',
  'env',
  'vars',
  'job',
  'jobs',
  'steps',
  'runner',
  'secrets',
  'strategy',
  'matrix',
  'needs',
  'inputs',
] as const
export type ContextName = (typeof CONTEXT_NAMES)[number]
export type Contexts = Partial<Readonly<Record<ContextName, Value>>>

export interface Scope {
  /** The workflow's path, for messages. */
  readonly path: string
  readonly contexts: Contexts
  readonly status: JobStatus
  /** Digest of the files that the patterns match, empty when none does; undefined where no tree is at hand. */
  readonly hashFiles?: (patterns: readonly string[]) => string
}

type FunctionDefinition = {
  name: string
  minArgs: number
  maxArgs: number
  call: (...args: data.ExpressionData[]) => data.ExpressionData
}

/** Evaluates one expression (without its `${{ }}`) with GitHub's own evaluator. Throws its ExpressionError and Error. */
export function evaluateExpression(expression: string, scope: Scope): Value {
  const functions = functionsOf(scope)
  const tree = new Parser(
    new Lexer(expression).lex().tokens,
    [...CONTEXT_NAMES],
    [...functions.values()],
  ).parse()
  return fromData(new Evaluator(tree, contextData(scope.contexts), functions).evaluate())
}

/** GitHub's truth: false, 0, NaN, the empty string and null are false; everything else is true. */
export const isTruthy = (value: Value): boolean =>
  !(value === null || value === false || value === '' || value === 0 || Number.isNaN(value))

function functionsOf(scope: Scope): Map<string, FunctionDefinition> {
  const status = (name: string, holds: boolean): [string, FunctionDefinition] => [
    name,
    { name, minArgs: 0, maxArgs: 0, call: () => new data.BooleanData(holds) },
  ]
  const hashFiles: FunctionDefinition = {
    name: 'hashFiles',
    minArgs: 1,
    maxArgs: 255,
    call: (...args) => {
      if (!scope.hashFiles) throw new Error('hashFiles() needs the files, which are not known here')
      return new data.StringData(scope.hashFiles(args.map((arg) => arg.coerceString())))
    },
  }
  return new Map([
    status('success', scope.status === 'success'),
    status('failure', scope.status === 'failure'),
    status('always', true),
    status('cancelled', scope.status === 'cancelled'),
    ['hashfiles', hashFiles],
  ])
}

/** Every context is there, if only empty: the evaluator breaks on one that is missing. */
function contextData(contexts: Contexts): data.Dictionary {
  return new data.Dictionary(...CONTEXT_NAMES.map((key) => ({ key, value: toData(contexts[key] ?? {}) })))
}

function toData(value: Value): data.ExpressionData {
  if (value === null) return new data.Null()
  if (typeof value === 'string') return new data.StringData(value)
  if (typeof value === 'number') return new data.NumberData(value)
  if (typeof value === 'boolean') return new data.BooleanData(value)
  if (isValueMap(value)) {
    return new data.Dictionary(
      ...Object.entries(value).map(([key, member]) => ({ key, value: toData(member) })),
    )
  }
  return new data.Array(...value.map(toData))
}

function fromData(value: data.ExpressionData): Value {
  return JSON.parse(JSON.stringify(value, data.replacer) ?? 'null')
}
