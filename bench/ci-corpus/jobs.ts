import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../languages/index.ts'
import { calledScripts } from '../../workflows/called-scripts.ts'
import { commandClass } from '../../workflows/command-class.ts'
import { commandsOf } from '../../workflows/commands.ts'
import type { PlannedLeg, WorkflowPlan } from '../../workflows/plan.ts'
import type { PlannedStep } from '../../workflows/plan-step.ts'
import { sourceOf } from '../../workflows/token.ts'

export interface TestJob {
  /** `workflow job`. */
  readonly job: string
  /** Why Linux legs of it are not supported, each once; empty when all are. */
  readonly reasons: readonly string[]
  /** The same without substitution. */
  readonly reasonsAsIs: readonly string[]
}

const OTHER_MACHINE = /runs-on .*: (only (Linux|x64)|not a Linux label)/

/** Legs that ask for Linux on x64; one that is skipped or whose labels are decided later counts where its job says Linux. */
export const linuxLegs = (plans: readonly WorkflowPlan[]): readonly PlannedLeg[] =>
  plans.flatMap((plan) => plan.legs).filter((leg) => !OTHER_MACHINE.test(leg.reason ?? ''))

/** Jobs with a Linux leg and a step that runs tests, as the more complete plan with substitution shows it. */
export function testJobs(
  repo: string,
  asIs: readonly WorkflowPlan[],
  substituted: readonly WorkflowPlan[],
): readonly TestJob[] {
  const before = legsByJob(asIs)
  return [...legsByJob(substituted)]
    .filter(([, legs]) => legs.some((leg) => scriptsOf(leg).some((script) => runsTests(repo, script))))
    .map(([job, legs]) => ({
      job,
      reasons: reasonsOf(legs),
      reasonsAsIs: reasonsOf(before.get(job) ?? []),
    }))
}

function legsByJob(plans: readonly WorkflowPlan[]): ReadonlyMap<string, readonly PlannedLeg[]> {
  const jobs = new Map<string, PlannedLeg[]>()
  for (const plan of plans)
    for (const leg of linuxLegs([plan])) {
      const name = `${plan.workflow.path} ${leg.job}`
      jobs.set(name, [...(jobs.get(name) ?? []), leg])
    }
  return jobs
}

const reasonsOf = (legs: readonly PlannedLeg[]): readonly string[] => [
  ...new Set(legs.flatMap(({ status, reason }) => (status === 'unsupported' ? [reason ?? ''] : []))),
]

/** Also of a leg that was refused before its steps were planned: then as they are written. */
const scriptsOf = (leg: PlannedLeg): readonly string[] =>
  leg.steps.length > 0
    ? leg.steps.flatMap(scriptsIn)
    : leg.definition.steps.flatMap(({ run }) => sourceOf(run) ?? [])

const scriptsIn = (step: PlannedStep): readonly string[] =>
  step.status === 'skipped'
    ? []
    : [...(step.script === null ? [] : [step.script]), ...step.steps.flatMap(scriptsIn)]

const TESTS = /(^|[^a-z])(py)?tests?($|[^a-z])|^(tox|nox|ctest|hatch)$|(^|[_-])(check|miri|unittest)$/i

/** By a language's own word; else a command that neither installs nor configures and has a word for tests. */
function runsTests(repo: string, script: string): boolean {
  const readFile = (path: string): string | undefined => {
    try {
      return readFileSync(join(repo, path), 'utf8')
    } catch {
      return undefined
    }
  }
  const texts = [script, ...calledScripts(script, { readFile }).map(({ text }) => text)]
  if (texts.some((text) => Object.values(languages).some((language) => language.isTestCommand(text))))
    return true
  return texts.flatMap(commandsOf).some((words) => {
    const [name = ''] = words
    if (
      /^(echo|printf|cd|mkdir|cp|mv|rm|cat|ls|export|git|sed|grep|tar|find|source|\.|\[+|if|for)$/.test(name)
    )
      return false
    if (commandClass(words, { readFile }) === 'warm') return false
    return words.some((word) => !word.startsWith('-D') && TESTS.test(word))
  })
}
