import { WorkflowError } from './errors.ts'
import type { WorkflowDefinition } from './parse.ts'

/** Job ids so that every job stands after the jobs it needs, else in the file's order. Throws on a cycle or an unknown job. */
export function jobOrder(workflow: WorkflowDefinition): readonly string[] {
  const byId = new Map(workflow.jobs.map((job) => [job.id, job]))
  const order: string[] = []
  const visit = (id: string, via: readonly string[], line: number): void => {
    const job = byId.get(id)
    if (!job) throw new WorkflowError(`needs unknown job '${id}'`, { place: workflow.path, line })
    if (order.includes(id)) return
    if (via.includes(id)) {
      throw new WorkflowError(`jobs need each other: ${[...via, id].join(' → ')}`, {
        place: workflow.path,
        line: job.line,
      })
    }
    for (const needed of job.needs) visit(needed, [...via, id], job.line)
    order.push(id)
  }
  for (const job of workflow.jobs) visit(job.id, [], job.line)
  return order
}

/** The jobs asked for and, recursively, the jobs that they need. */
export function withNeeds(workflow: WorkflowDefinition, jobs: readonly string[]): ReadonlySet<string> {
  const byId = new Map(workflow.jobs.map((job) => [job.id, job]))
  const wanted = new Set<string>()
  const add = (id: string): void => {
    if (wanted.has(id)) return
    wanted.add(id)
    for (const needed of byId.get(id)?.needs ?? []) add(needed)
  }
  for (const id of jobs) add(id)
  return wanted
}
