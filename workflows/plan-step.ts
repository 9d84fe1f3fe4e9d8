import { readActionFile, type Sources } from './action-file.ts'
import type { ToolVersions } from './actions/action.ts'
import { isMapped, mapAction, unknownAction } from './actions/index.ts'
import { ACTION_LEVELS, actionPathOf, compositePlace } from './composite.ts'
import { conditionOf, evaluateCondition } from './conditions.ts'
import { refsOf } from './contexts.ts'
import { reasonAt, WorkflowError } from './errors.ts'
import type { Scope } from './expressions.ts'
import { refusedJavaScript } from './javascript-action.ts'
import type { JobDefinition, StepDefinition, WorkflowDefinition } from './parse.ts'
import { refusedScript } from './refused-script.ts'
import { defaultName, runSetting } from './resolve-step.ts'
import { refusedShell } from './shell.ts'
import { joinClasses, type StepClass, scriptClass } from './step-class.ts'
import { entries, evaluateText, evaluateTexts, expressionsIn, sourceOf, type Token } from './token.ts'
import { isValueMap, textOf } from './values.ts'

/** What a plan may look at beside the workflow: tools and files at hand. */
export interface AtHand extends Sources {
  readonly tools: ToolVersions
  readonly substitute: boolean
  /** Whether steps that install have a network: the warm phase. Absent: no. */
  readonly fetches?: boolean
  /** Whether JavaScript actions run whose source is at hand. Absent: no. */
  readonly javascript?: boolean
}

/** A step as planned: what is known before anything has run. */
export interface PlannedStep {
  readonly index: number
  readonly line: number
  readonly name: string
  readonly uses: string | null
  /** The script as far as it is known now; null for an action. */
  readonly script: string | null
  /** `decided-later`: its `if` looks at what earlier steps do. */
  readonly status: 'planned' | 'skipped' | 'decided-later' | 'unsupported'
  readonly reason: string | null
  /** Where it runs; an action that is mapped needs no network. */
  readonly class: StepClass
  readonly notes: readonly string[]
  /** Those of a composite action. */
  readonly steps: readonly PlannedStep[]
}

export function planStep(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  step: StepDefinition,
  jobScope: Scope,
  atHand: AtHand,
  depth = 0,
  inputsLater = false,
): PlannedStep {
  const outer = jobScope.contexts.env ?? {}
  const known = isValueMap(outer) ? outer : {}
  const env = { ...known, ...knownTexts(step.env, jobScope) }
  const scope: Scope = { ...jobScope, contexts: { ...jobScope.contexts, env } }
  const script = step.uses === null ? (knownText(step.run, scope) ?? '') : null
  const folder = knownText(runSetting(workflow, job, step, 'working-directory'), scope) ?? ''
  const planned: PlannedStep = {
    index: step.index,
    line: step.line,
    name: knownText(step.name, scope) || defaultName(step, script),
    uses: step.uses,
    script,
    status: 'planned',
    reason: null,
    class: script === null ? 'offline' : scriptClass(script, { readFile: atHand.readFile, folder }),
    notes: [],
    steps: [],
  }
  const condition = conditionOf(step.if)
  const later = looksAtRun(condition) || (inputsLater && INPUTS.test(condition))
  if (!later && !evaluateCondition(step.if, scope)) {
    const reason = reasonAt(workflow.path, step.if?.line ?? step.line, `if is false: ${condition}`)
    return { ...planned, status: 'skipped', reason }
  }
  const open: PlannedStep = { ...planned, status: later ? 'decided-later' : 'planned' }
  if (step.uses === null) {
    const refused =
      refusedShell(
        knownText(runSetting(workflow, job, step, 'shell'), scope) ?? null,
        'pwsh' in atHand.tools,
      ) ?? refusedScript(script ?? '', atHand.fetches ?? false)
    return refused === undefined ? open : refusedStep(workflow, step, open, refused)
  }
  return isMapped(step.uses)
    ? planMapped(workflow, step, step.uses, scope, atHand, open)
    : planUnmapped(workflow, job, step, step.uses, scope, atHand, open, depth)
}

function planMapped(
  workflow: WorkflowDefinition,
  step: StepDefinition,
  uses: string,
  scope: Scope,
  atHand: AtHand,
  open: PlannedStep,
): PlannedStep {
  // What it is given may only be known while the job runs; then the executor asks the mapping again.
  if (expressionsIn(step.with).some(looksAtRun)) return { ...open, status: 'decided-later' }
  const { env = {}, github } = scope.contexts
  const effect = mapAction(uses, {
    ...atHand,
    with: evaluateTexts(step.with, scope),
    env: isValueMap(env)
      ? Object.fromEntries(Object.entries(env).map(([name, value]) => [name, textOf(value)]))
      : {},
    refs: refsOf(github),
  })
  if (effect.kind === 'unsupported') return refusedStep(workflow, step, open, effect.reason)
  const stepClass = effect.kind === 'script' ? effect.class : 'offline'
  return { ...open, class: stepClass, notes: effect.notes }
}

function planUnmapped(
  workflow: WorkflowDefinition,
  job: JobDefinition,
  step: StepDefinition,
  uses: string,
  scope: Scope,
  atHand: AtHand,
  open: PlannedStep,
  depth: number,
): PlannedStep {
  const refused = (why: string): PlannedStep => refusedStep(workflow, step, open, why)
  const file = readActionFile(uses, atHand)
  if (!file) return refused(unknownAction(uses))
  if (file.using !== 'composite') {
    const why = refusedJavaScript(uses, file, atHand)
    return why === undefined
      ? { ...open, class: 'both', notes: [`${file.using} action, its own source`] }
      : refused(why)
  }
  if (depth >= ACTION_LEVELS) return refused(`actions use each other over more than ${ACTION_LEVELS} levels`)
  const given = knownTexts(step.with, scope)
  const inside = compositePlace(workflow, job, file, given, scope, actionPathOf(file, scope))
  const inputsLater = expressionsIn(step.with).some(looksAtRun)
  const steps = file.steps.map((inner) =>
    planStep(inside.workflow, inside.job, inner, inside.scope, atHand, depth + 1, inputsLater),
  )
  const whole: PlannedStep = { ...open, steps, class: classOfAll(steps, atHand) }
  const stopped = steps.find(({ status }) => status === 'unsupported')
  if (!stopped) return { ...whole, notes: [`composite action of ${steps.length} steps`] }
  return whole.status === 'decided-later'
    ? { ...whole, reason: stopped.reason }
    : { ...whole, status: 'unsupported', reason: stopped.reason }
}

/** Steps of one action as one: a mapped action between scripts changes no class unless it fetches. */
function classOfAll(steps: readonly PlannedStep[], { readFile }: AtHand): StepClass {
  const ran = steps.filter(({ status }) => status !== 'skipped')
  const scripts = ran.flatMap(({ script }) => (script === null ? [] : [script]))
  const actions = ran.filter(({ script }) => script === null).map((step) => step.class)
  return joinClasses([
    ...(scripts.length === 0 ? [] : [scriptClass(scripts.join('\n'), { readFile })]),
    ...actions.filter((stepClass) => stepClass !== 'offline'),
  ])
}

/** A step that may not even run does not yet stop its leg. */
function refusedStep(
  workflow: WorkflowDefinition,
  step: StepDefinition,
  planned: PlannedStep,
  why: string,
): PlannedStep {
  const reason = reasonAt(workflow.path, step.line, why)
  return planned.status === 'decided-later'
    ? { ...planned, reason }
    : { ...planned, status: 'unsupported', reason }
}

/** The text as far as it is known before the job runs: what looks at its steps or files stands as written. */
function knownText(token: Token | undefined, scope: Scope): string | undefined {
  const expressions = expressionsIn(token)
  if (expressions.some((text) => STEPS.test(text))) return sourceOf(token)
  try {
    return evaluateText(token, scope)
  } catch (error) {
    // A variable or an output that is yet to be set can make a function fail now and not then.
    const later = expressions.some((text) => looksAtRun(text) || looksAtNeeds(text))
    if (error instanceof WorkflowError && later) return sourceOf(token)
    throw error
  }
}

const knownTexts = (token: Token | undefined, scope: Scope): Record<string, string> =>
  Object.fromEntries(entries(token).map(([name, value]) => [name, knownText(value, scope) ?? '']))

const STEPS = /(^|[^.\w'-])(steps|job)\s*[.[]|hashFiles\s*\(/i
const VARIABLES = /(^|[^.\w'-])env\s*[.[]/i

const INPUTS = /(^|[^.\w'-])inputs\s*[.[]/i

const NEEDS = /(^|[^.\w'-])needs\s*[.[]/i

/** Whether an expression looks at how other jobs ended. */
export const looksAtNeeds = (expression: string): boolean => NEEDS.test(expression)

/** Whether an expression looks at what only a running job knows: steps, its own status, files, variables set by steps. */
export const looksAtRun = (expression: string): boolean =>
  STEPS.test(expression) || VARIABLES.test(expression)
