import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { evaluateExpression, type JobStatus } from '../../workflows/expressions.ts'
import { hashFilesIn } from '../../workflows/hash-files.ts'
import { flatLegs, type PlannedLeg, planJob } from '../../workflows/plan.ts'
import { inputOf, plan } from './helpers.ts'

/** Where GitHub says the rule. */
const DOCUMENTATION = 'https://docs.github.com/en/actions/reference/workflows-and-actions/'

const Texts = z.record(z.string(), z.string())
const Legs = z.array(z.record(z.string(), z.unknown()))
const Ended = z.object({
  result: z.enum(['success', 'failure', 'cancelled', 'skipped']).default('success'),
  outputs: Texts.default({}),
  before: z.enum(['success', 'failure', 'cancelled', 'skipped']).default('success'),
})

/** What is expected stands in the file, in part: members that are not named are not compared. Texts in slashes are patterns. */
const Rule = z.strictObject({
  rule: z.string(),
  /** Page and heading below DOCUMENTATION. */
  address: z.string().regex(/^[\w-]+#[\w-]+$/),
  workflow: z.string().optional(),
  /** In place of a workflow: an expression and its value. */
  expression: z.string().optional(),
  value: z.unknown().optional(),
  event: z.string().optional(),
  filter: z
    .object({
      branch: z.string().optional(),
      tag: z.string().optional(),
      changed: z.array(z.string()).optional(),
      activity: z.string().optional(),
    })
    .optional(),
  files: Texts.optional(),
  remote: Texts.optional(),
  tools: Texts.optional(),
  substitute: z.boolean().optional(),
  legs: Legs.optional(),
  order: z.array(z.string()).optional(),
  concurrency: z.unknown().optional(),
  /** One job planned again when those it needs have ended so. */
  replanned: z.object({ job: z.string(), after: z.record(z.string(), Ended) }).optional(),
  replannedLegs: Legs.optional(),
  /** Pattern of the error's message. */
  error: z.string().optional(),
})
type Rule = z.infer<typeof Rule>

const folder = new URL('rules/', import.meta.url)
const files = readdirSync(folder).map((file) => ({
  file,
  rules: z.array(Rule).parse(parse(readFileSync(fileURLToPath(new URL(file, folder)), 'utf8'))),
}))

const patterns = (value: unknown): unknown => {
  if (typeof value === 'string' && /^\/.*\/$/s.test(value))
    return expect.stringMatching(new RegExp(value.slice(1, -1)))
  if (Array.isArray(value)) return value.map(patterns)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, patterns(member)]))
}

const shown = (legs: readonly PlannedLeg[]): unknown[] =>
  flatLegs(legs).map((leg) => ({ ...leg, scripts: leg.steps.map((step) => step.script) }))

function check(rule: Rule): void {
  const given = {
    ...(rule.event === undefined ? {} : { event: rule.event }),
    ...(rule.filter === undefined ? {} : { filter: rule.filter }),
    ...(rule.files === undefined ? {} : { files: rule.files }),
    ...(rule.remote === undefined ? {} : { remote: rule.remote }),
    ...(rule.tools === undefined ? {} : { tools: rule.tools }),
    substitute: rule.substitute ?? false,
  }
  const text = rule.workflow ?? ''
  if (rule.error !== undefined) {
    expect(() => plan(text, given)).toThrow(new RegExp(rule.error))
    return
  }
  const planned = plan(text, given)
  if (rule.legs) expect(shown(planned.legs)).toMatchObject(patterns(rule.legs) as unknown[])
  if (rule.order) expect(planned.jobs).toEqual(rule.order)
  if (rule.concurrency) expect(planned.concurrency).toEqual(rule.concurrency)
  if (!rule.replanned) return
  const job = planned.workflow.jobs.find(({ id }) => id === rule.replanned?.job)
  if (!job) throw new Error(`no job ${rule.replanned.job}`)
  const needs = new Map(
    Object.entries(rule.replanned.after).map(([id, end]) => [
      id,
      { ...end, before: end.before as JobStatus },
    ]),
  )
  const legs = planJob(planned.workflow, job, inputOf(given), needs)
  expect(shown(legs)).toMatchObject(patterns(rule.replannedLegs) as unknown[])
}

function checkExpression(rule: Rule): void {
  const [leg] = plan('on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: x }] } }\n').legs
  const files = Object.entries(rule.files ?? {})
  const tree = {
    list: () => files.map(([path]) => path).sort(),
    read: (path: string) => Buffer.from(rule.files?.[path] ?? ''),
  }
  const value = evaluateExpression(rule.expression ?? '', {
    path: 'ci.yml',
    status: 'success',
    contexts: leg?.contexts ?? {},
    hashFiles: (patterns) => hashFilesIn(tree, patterns),
  })
  expect(value).toEqual(rule.value)
}

test('there are at least eighty rules', () => {
  expect(files.flatMap(({ rules }) => rules).length).toBeGreaterThanOrEqual(80)
})

describe.each(files)('GitHub’s rules: $file', ({ rules }) => {
  test.each(rules)(`$rule (${DOCUMENTATION}$address)`, (rule) => {
    if (rule.expression === undefined) check(rule)
    else checkExpression(rule)
  })
})
