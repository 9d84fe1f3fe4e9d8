import { InputError } from '../errors.ts'
import { ACTIONS } from './actions-flag.ts'
import { CI_PLAN_OPTIONS, runCiPlan } from './ci-plan.ts'
import { CI_RUN_OPTIONS, runCiRun } from './ci-run.ts'
import type { Command } from './command.ts'

export const ciCommand: Command = {
  name: 'ci',
  summary: "Shows what a local repository's GitHub workflows would do here, or runs them in sandboxes",
  operands: 'plan|run',
  arity: [1, 1],
  options: {
    repo: { type: 'string', value: 'DIR', help: 'a local repository (.)' },
    commit: { type: 'string', value: 'COMMIT', help: 'the commit (HEAD)' },
    event: {
      type: 'string',
      value: 'NAME',
      help: 'push, pull_request or workflow_dispatch (push); plan: any event, or any',
    },
    workflow: { type: 'string', value: 'PATH', help: 'one workflow; all when left out' },
    job: { type: 'string', value: 'ID', help: 'one job with what it needs; all when left out' },
    matrix: { type: 'string', value: 'K=V', help: 'only legs with this value; several with commas between' },
    ...CI_RUN_OPTIONS,
    substitute: { type: 'boolean', help: 'use the version at hand where another is asked for' },
    actions: ACTIONS,
    javascript: {
      type: 'boolean',
      help: 'run JavaScript actions too whose source is in --actions or in the tree',
    },
    ...CI_PLAN_OPTIONS,
  },
  examples: [
    'arena ci plan --repo ../mine',
    'arena ci plan --event pull_request --branch main --changed src/a.c,docs/b.md --json',
    'arena ci run --repo ../mine',
    'arena ci run --job test --matrix python-version=3.12 --patch fix.patch',
    'arena ci run --json --offline',
  ],
  async run(context) {
    if (context.operands[0] === 'plan') return runCiPlan(context)
    if (context.operands[0] === 'run') return runCiRun(context)
    throw new InputError(`arena ci ${context.operands[0]}: there is no such action`, {
      remedy: 'use plan or run',
    })
  },
}
