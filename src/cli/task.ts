import { InputError } from '../errors.ts'
import type { Command } from './command.ts'
import { runTaskClarity, TASK_CLARITY_OPTIONS } from './task-clarity.ts'
import { runTaskLint, TASK_LINT_OPTIONS } from './task-lint.ts'
import { runTaskMine, TASK_MINE_OPTIONS } from './task-mine.ts'
import { runTaskNew, TASK_NEW_OPTIONS } from './task-new.ts'
import { runTaskVerify, TASK_VERIFY_OPTIONS } from './task-verify.ts'

export const taskCommand: Command = {
  name: 'task',
  summary: 'Makes tasks of repositories of your own, lints them, and verifies them by their real CI',
  operands: 'new|mine|lint|verify|clarity [DIR…]',
  arity: [1, Number.POSITIVE_INFINITY],
  options: {
    ...TASK_NEW_OPTIONS,
    ...TASK_MINE_OPTIONS,
    ...TASK_LINT_OPTIONS,
    ...TASK_VERIFY_OPTIONS,
    ...TASK_CLARITY_OPTIONS,
  },
  examples: [
    'arena task new --repo ../mine --issue issue.md --golden fix.patch --tests tests.patch --out tasks/mine-12',
    'arena task new --repo ../mine --issue issue.md --out tasks/live-12',
    'arena task mine --repo ../mine --issues issues.jsonl --out tasks',
    'arena task lint tasks',
    'arena task verify tasks',
    'arena task verify tasks/mine-12 --again --json',
    'arena task clarity tasks --endpoint judge.yml',
  ],
  async run(context) {
    const [action, ...folders] = context.operands
    if (action === 'lint') return runTaskLint(context, folders)
    if (action === 'verify') return runTaskVerify(context, folders)
    if (action === 'clarity') return runTaskClarity(context, folders)
    if (action === 'new' || action === 'mine') {
      if (folders.length > 0)
        throw new InputError(`arena task ${action} ${folders[0]}: it takes no folder`, {
          remedy: 'use --out',
        })
      return action === 'new' ? runTaskNew(context) : runTaskMine(context)
    }
    throw new InputError(`arena task ${action}: there is no such action`, {
      remedy: 'use new, mine, lint, verify or clarity',
    })
  },
}
