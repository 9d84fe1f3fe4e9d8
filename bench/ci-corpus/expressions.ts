import { evaluateExpression, type Scope } from '../../workflows/expressions.ts'
import { expressionsOfJob } from '../../workflows/job-expressions.ts'
import type { WorkflowPlan } from '../../workflows/plan.ts'
import { expressionsIn } from '../../workflows/token.ts'

export interface ExpressionCount {
  readonly evaluated: number
  /** Those that need a value of an earlier step or job, of a kind that an empty one does not have. */
  readonly later: number
  readonly failed: readonly string[]
}

/** Evaluates every expression of a workflow once, in the contexts of its job's first leg. */
export function countExpressions(plan: WorkflowPlan): ExpressionCount {
  const { workflow } = plan
  let [evaluated, later] = [0, 0]
  const failed: string[] = []
  for (const job of workflow.jobs) {
    const leg = plan.legs.find(({ definition }) => definition === job)
    const env = { ...leg?.env }
    const scope: Scope = {
      path: workflow.path,
      status: 'success',
      contexts: { ...leg?.contexts, env },
      hashFiles: () => '',
    }
    const whole = job === workflow.jobs[0] ? [workflow.env, workflow.defaults, workflow.concurrency] : []
    const expressions = [...whole.flatMap(expressionsIn), ...expressionsOfJob(job)]
    for (const expression of expressions) {
      try {
        evaluateExpression(expression, scope)
        evaluated += 1
      } catch (error) {
        if (/\b(needs|steps|env)\s*\./.test(expression)) later += 1
        else failed.push(`${workflow.path}: ${expression}: ${error instanceof Error ? error.message : error}`)
      }
    }
  }
  return { evaluated, later, failed }
}
