import { type PlanInput, planWorkflow, type WorkflowPlan } from '../../workflows/plan.ts'
import type { EventFilter } from '../../workflows/triggers.ts'

export const PATH = '.github/workflows/ci.yml'

export interface Given {
  readonly event?: string
  readonly filter?: EventFilter
  readonly files?: Readonly<Record<string, string>>
  readonly tools?: Readonly<Record<string, string>>
  readonly substitute?: boolean
  readonly fetches?: boolean
  /** By `owner/name@ref/path`. */
  readonly remote?: Readonly<Record<string, string>>
}

const TOOLS = { python: '3.11.2', go: '1.22.5', rustc: '1.95.0', cmake: '3.25.1' }

export function inputOf(given: Given = {}): PlanInput {
  const tools = Object.entries(given.tools ?? TOOLS)
  return {
    event: {
      name: given.event ?? 'push',
      repository: 'example/demo',
      workspace: '/home/runner/work/demo/demo',
      ...(given.filter ? { filter: given.filter } : {}),
    },
    tools: Object.fromEntries(tools.map(([name, version]) => [name, { version, path: `/usr/bin/${name}` }])),
    readFile: (path) => given.files?.[path],
    readRemote: (repository, ref, path) => given.remote?.[`${repository}@${ref}/${path}`],
    substitute: given.substitute ?? false,
    fetches: given.fetches ?? false,
  }
}

export const plan = (text: string, given: Given = {}): WorkflowPlan =>
  planWorkflow({ ...inputOf(given), path: PATH, text })

/** `leg`, or `leg: status` when it is not planned. */
export const legsOf = (text: string, given: Given = {}): string[] =>
  plan(text, given).legs.map((leg) => (leg.status === 'planned' ? leg.leg : `${leg.leg}: ${leg.status}`))

/** A workflow of one job `test`, from the lines of the job beside `runs-on` and its steps. */
export const job = (head: string, steps = '- run: make test'): string =>
  `on: push
jobs:
  test:
    runs-on: ubuntu-latest
${indent(head, 4)}
    steps:
${indent(steps, 6)}
`

export const indent = (text: string, by: number): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : ' '.repeat(by) + line))
    .join('\n')
