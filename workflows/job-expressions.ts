import { conditionOf } from './conditions.ts'
import type { JobDefinition, StepDefinition } from './parse.ts'
import { expressionsIn } from './token.ts'

/** Every expression of a job and its steps, conditions with what stands before them by default. */
export const expressionsOfJob = (job: JobDefinition): readonly string[] => [
  ...(job.if ? [conditionOf(job.if)] : []),
  ...[job.name, job.runsOn, job.strategy, job.env, job.defaults, job.outputs].flatMap(expressionsIn),
  ...[job.timeoutMinutes, job.continueOnError, job.container, job.services].flatMap(expressionsIn),
  ...[job.concurrency, job.with].flatMap(expressionsIn),
  ...job.steps.flatMap(expressionsOfStep),
]

const expressionsOfStep = (step: StepDefinition): readonly string[] => [
  ...(step.if ? [conditionOf(step.if)] : []),
  ...[step.name, step.run, step.with, step.env, step.shell].flatMap(expressionsIn),
  ...[step.workingDirectory, step.timeoutMinutes, step.continueOnError].flatMap(expressionsIn),
]
