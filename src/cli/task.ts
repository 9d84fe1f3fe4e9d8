import { InputError } from '../errors.ts'
import type { Command } from './command.ts'
import { runTaskLint, TASK_LINT_OPTIONS } from './task-lint.ts'
import { runTaskNew, TASK_NEW_OPTIONS } from './task-new.ts'
import { runTaskVerify, TASK_VERIFY_OPTIONS } from './task-verify.ts'

export const taskCommand: Command = {
  name: 'task',
  summary: 'Makes tasks of repositories of your own, lints them, and verifies them by their real CI',
  operands: 'new|lint|verify [DIR…]',
  arity: [1, Number.POSITIVE_INFINITY],
  options: { ...TASK_NEW_OPTIONS, ...TASK_LINT_OPTIONS, ...TASK_VERIFY_OPTIONS },
  examples: [
    'arena task new --repo ../mine --issue issue.md --golden fix.patch --tests tests.patch --out tasks/mine-12',
    'arena task new --repo ../mine --issue issue.md --out tasks/live-12',
    'arena task lint tasks',
    'arena task verify tasks',
    'arena task verify tasks/mine-12 --again --json',
  ],
  async run(context) {
    const [action, ...folders] = context.operands
    if (action === 'lint') return runTaskLint(context, folders)
    if (action === 'verify') return runTaskVerify(context, folders)
    if (action === 'new' && folders.length === 0) return runTaskNew(context)
    if (action === 'new')
      throw new InputError(`arena task new ${folders[0]}: it takes no folder`, { remedy: 'use --out' })
    throw new InputError(`arena task ${action}: there is no such action`, {
      remedy: 'use new, lint or verify',
    })
  },
}
