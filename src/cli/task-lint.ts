import { resolve } from 'node:path'
import { type LintedTask, lintTasks } from '../arena/lint-tasks.ts'
import { InputError } from '../errors.ts'
import { LintProfile } from '../schema/lint.ts'
import { type CommandContext, type ExitCode, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { printJson } from './with-arena.ts'

export const TASK_LINT_OPTIONS = {
  profile: {
    type: 'string',
    value: 'NAME',
    help: 'lint: arena, or swingarena for the paper’s filters (arena)',
  },
} as const

/** `arena task lint DIR…`: exit code 1 when a task has an error. */
export async function runTaskLint(context: CommandContext, folders: readonly string[]): Promise<ExitCode> {
  if (folders.length === 0)
    throw new InputError('arena task lint: expected a task folder, or a folder of them')
  const text = textFlag(context, 'profile') ?? 'arena'
  const profile = LintProfile.safeParse(text)
  if (!profile.success)
    throw new InputError(`--profile ${text}: expected ${LintProfile.options.join(' or ')}`)
  const linted = await lintTasks(
    folders.map((folder) => resolve(context.folder, folder)),
    profile.data,
  )
  const findings = linted.flatMap(({ task, findings }) => findings.map((finding) => ({ task, ...finding })))
  const failed = linted.filter((task) => task.findings.some(({ severity }) => severity === 'error'))
  if (context.json) printJson(context, { tasks: linted.length, failed: failed.length, findings })
  else context.out(renderLinted(linted, failed.length))
  return failed.length === 0 ? 0 : 1
}

function renderLinted(linted: readonly LintedTask[], failed: number): string {
  const byRule = new Map<string, number>()
  for (const { code } of linted.flatMap(({ findings }) => findings))
    byRule.set(code, (byRule.get(code) ?? 0) + 1)
  return [
    ...linted.flatMap(({ task, findings }) =>
      findings.map(
        ({ code, severity, message, remedy }) =>
          `${severity.padEnd(7)} ${task}: ${plainText(message)} (${code})${remedy ? `; ${plainText(remedy)}` : ''}`,
      ),
    ),
    ...(byRule.size > 0 && linted.length > 1
      ? ['', [...byRule].map(([code, count]) => `${code} ${count}`).join(', ')]
      : []),
    `${linted.length} tasks, ${failed} with errors`,
    '',
  ].join('\n')
}
