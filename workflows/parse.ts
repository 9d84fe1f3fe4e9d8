import { NoOperationTraceWriter, parseWorkflow, type TemplateParseResult } from '@actions/workflow-parser'
import { convertToIfCondition } from '@actions/workflow-parser/model/converter/if-condition'
import { WorkflowError } from './errors.ts'
import { suggestKey } from './suggest-key.ts'
import { entries, find, items, sourceOf, type Token } from './token.ts'

/** A step as written; nothing in it is evaluated. */
export interface StepDefinition {
  readonly index: number
  readonly line: number
  readonly id: string | null
  readonly name: Token | undefined
  readonly if: Token | undefined
  readonly uses: string | null
  readonly run: Token | undefined
  readonly with: Token | undefined
  readonly env: Token | undefined
  readonly shell: Token | undefined
  readonly workingDirectory: Token | undefined
  readonly timeoutMinutes: Token | undefined
  readonly continueOnError: Token | undefined
}

export interface JobDefinition {
  readonly id: string
  readonly line: number
  readonly name: Token | undefined
  readonly needs: readonly string[]
  readonly if: Token | undefined
  readonly runsOn: Token | undefined
  readonly strategy: Token | undefined
  readonly env: Token | undefined
  readonly defaults: Token | undefined
  readonly outputs: Token | undefined
  readonly timeoutMinutes: Token | undefined
  readonly continueOnError: Token | undefined
  readonly container: Token | undefined
  readonly services: Token | undefined
  readonly concurrency: Token | undefined
  /** A reusable workflow instead of steps. */
  readonly uses: Token | undefined
  /** What the reusable workflow is given. */
  readonly with: Token | undefined
  readonly steps: readonly StepDefinition[]
}

/** A workflow file, checked against GitHub's schema. */
export interface WorkflowDefinition {
  readonly path: string
  readonly name: string | null
  readonly on: Token | undefined
  readonly env: Token | undefined
  readonly defaults: Token | undefined
  readonly concurrency: Token | undefined
  readonly jobs: readonly JobDefinition[]
}

/** Text → definition. Throws WorkflowError naming file, line and every further error. */
export function parseWorkflowText(path: string, text: string): WorkflowDefinition {
  const { context, value } = parseWorkflow({ name: path, content: text }, new NoOperationTraceWriter())
  checkConditions(context, value)
  const errors = context.errors.getErrors()
  const first = errors[0]
  if (first) {
    const line = first.range?.start.line
    const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
    throw new WorkflowError(`${plainMessage(first.rawMessage)}${more}`, {
      place: path,
      ...(line === undefined ? {} : { line }),
    })
  }
  const jobs = entries(find(value, 'jobs')).map(([id, job]) => readJob(id, job))
  for (const job of jobs) checkJob(path, job)
  if (jobs.length === 0) throw new WorkflowError('no jobs; is this a workflow file?', { place: path })
  return {
    path,
    name: sourceOf(find(value, 'name')) ?? null,
    on: find(value, 'on'),
    env: find(value, 'env'),
    defaults: find(value, 'defaults'),
    concurrency: find(value, 'concurrency'),
    jobs,
  }
}

/** Conditions are plain text to the schema: what they say is checked here, with the contexts allowed where they stand. */
function checkConditions(context: TemplateParseResult['context'], root: Token | undefined): void {
  for (const [, job] of entries(find(root, 'jobs'))) {
    const conditions = [job, ...items(find(job, 'steps'))].map((part) => find(part, 'if'))
    for (const condition of conditions) if (condition) convertToIfCondition(context, condition)
  }
}

/** What the schema does not say. Throws WorkflowError. */
function checkJob(path: string, job: JobDefinition): void {
  const fail = (message: string, line = job.line): never => {
    throw new WorkflowError(message, { place: path, line })
  }
  if (!/^[A-Za-z_][\w-]*$/.test(job.id))
    fail(`'${job.id}' is no id of a job: it begins with a letter or _, then letters, digits, - and _`)
  if (job.steps.length === 0 && !job.uses) fail(`job '${job.id}' has neither steps nor uses`)
  const ids = new Set<string>()
  for (const { id, line } of job.steps) {
    if (id === null) continue
    if (ids.has(id.toLowerCase())) fail(`two steps have the id '${id}'`, line)
    ids.add(id.toLowerCase())
  }
}

function readJob(id: string, job: Token): JobDefinition {
  const needs = find(job, 'needs')
  const one = sourceOf(needs)
  return {
    id,
    line: job.line ?? 0,
    name: find(job, 'name'),
    needs: one === undefined ? items(needs).map((item) => sourceOf(item) ?? '') : [one],
    if: find(job, 'if'),
    runsOn: find(job, 'runs-on'),
    strategy: find(job, 'strategy'),
    env: find(job, 'env'),
    defaults: find(job, 'defaults'),
    outputs: find(job, 'outputs'),
    timeoutMinutes: find(job, 'timeout-minutes'),
    continueOnError: find(job, 'continue-on-error'),
    container: find(job, 'container'),
    services: find(job, 'services'),
    concurrency: find(job, 'concurrency'),
    with: find(job, 'with'),
    uses: find(job, 'uses'),
    steps: items(find(job, 'steps')).map(readStep),
  }
}

export function readStep(step: Token, index: number): StepDefinition {
  return {
    index,
    line: step.line ?? 0,
    id: sourceOf(find(step, 'id')) ?? null,
    name: find(step, 'name'),
    if: find(step, 'if'),
    uses: sourceOf(find(step, 'uses')) ?? null,
    run: find(step, 'run'),
    with: find(step, 'with'),
    env: find(step, 'env'),
    shell: find(step, 'shell'),
    workingDirectory: find(step, 'working-directory'),
    timeoutMinutes: find(step, 'timeout-minutes'),
    continueOnError: find(step, 'continue-on-error'),
  }
}

function plainMessage(raw: string): string {
  const line = raw.split('\n')[0] ?? raw
  const unknown = /^Unexpected value '(.*)'$/.exec(line)?.[1]
  if (unknown === undefined) return line
  const suggestion = suggestKey(unknown)
  return `unknown key or value '${unknown}'${suggestion ? `; did you mean '${suggestion}'?` : ''}`
}
