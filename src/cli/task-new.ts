import { resolve } from 'node:path'
import { firstLineOf, newTask } from '../arena/new-task.ts'
import { type CommandContext, type ExitCode, textFlag } from './command.ts'
import { languageFlag } from './language-flag.ts'
import { printJson } from './with-arena.ts'

export const TASK_NEW_OPTIONS = {
  repo: { type: 'string', value: 'DIR', help: 'new, mine: a local clone' },
  issue: { type: 'string', value: 'FILE', help: 'new: the issue text' },
  golden: { type: 'string', value: 'FILE', help: 'new: the fix as a git diff against the base commit' },
  tests: { type: 'string', value: 'FILE', help: 'new: the tests that came with it, as a git diff' },
  base: { type: 'string', value: 'COMMIT', help: 'new: the base commit (HEAD)' },
  workflow: { type: 'string', value: 'PATH', help: 'new, mine: the workflow file; found when left out' },
  job: { type: 'string', value: 'ID', help: 'new, mine: the job that runs the tests; found when left out' },
  language: {
    type: 'string',
    value: 'NAME',
    help: 'new, mine: cpp, python, rust or go; found when left out',
  },
  out: {
    type: 'string',
    value: 'DIR',
    help: 'new: the folder that is made; mine: the folder of those that are made',
  },
} as const

/** `arena task new`. */
export async function runTaskNew(context: CommandContext): Promise<ExitCode> {
  const language = languageFlag(context)
  const path = (name: string): string | undefined => {
    const value = textFlag(context, name)
    return value === undefined ? undefined : resolve(context.folder, value)
  }
  const job = textFlag(context, 'job')
  const made = await newTask({
    repo: resolve(context.folder, textFlag(context, 'repo', true)),
    issue: resolve(context.folder, textFlag(context, 'issue', true)),
    out: resolve(context.folder, textFlag(context, 'out', true)),
    golden: path('golden'),
    tests: path('tests'),
    base: textFlag(context, 'base'),
    workflow: textFlag(context, 'workflow'),
    ...(job ? { jobs: [job] } : {}),
    ...(language ? { language } : {}),
    now: () => Date.now(),
  })
  if (context.json) printJson(context, made)
  else
    context.out(
      [
        `made ${made.folder}: ${await firstLineOf(made.folder)}`,
        `${made.task.language}, ${made.task.ci.workflow}, job ${made.task.ci.jobs.join(', ')}, base ${made.task.baseCommit.slice(0, 12)}`,
        ...(made.otherJobs.length > 0
          ? [`other jobs that run tests: ${made.otherJobs.join(', ')}; --workflow and --job choose`]
          : []),
        made.task.goldenPatch === null
          ? 'a live issue: without --golden and --tests a round on it has no verdict'
          : `play it: arena battle --task ${made.folder} --submitter URL#MODEL --reviewer URL#MODEL`,
        '',
      ].join('\n'),
    )
  return 0
}
