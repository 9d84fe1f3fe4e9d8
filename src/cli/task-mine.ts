import { resolve } from 'node:path'
import { type Mined, mineTasks } from '../arena/mine-tasks.ts'
import { InputError } from '../errors.ts'
import { type CommandContext, type ExitCode, textFlag } from './command.ts'
import { languageFlag } from './language-flag.ts'
import { plainText } from './plain-text.ts'
import { printJson } from './with-arena.ts'

export const TASK_MINE_OPTIONS = {
  issues: { type: 'string', value: 'FILE', help: 'mine: issues as the forge’s API gives them, one a line' },
  substitute: {
    type: 'boolean',
    help: 'mine: run with the version at hand where another is asked for',
  },
  limit: { type: 'string', value: 'N', help: 'mine: tasks to make at most (20)' },
  commits: { type: 'string', value: 'N', help: 'mine: commits to look at, from the newest on (2000)' },
} as const

/** `arena task mine --repo DIR --out DIR`: exit code 1 when no task was made. */
export async function runTaskMine(context: CommandContext): Promise<ExitCode> {
  const issues = textFlag(context, 'issues')
  const job = textFlag(context, 'job')
  const language = languageFlag(context)
  const mined = await mineTasks({
    repo: resolve(context.folder, textFlag(context, 'repo', true)),
    out: resolve(context.folder, textFlag(context, 'out', true)),
    issues: issues === undefined ? undefined : resolve(context.folder, issues),
    limit: countFlag(context, 'limit', 20),
    commits: countFlag(context, 'commits', 2000),
    substitute: context.flags.substitute === true,
    workflow: textFlag(context, 'workflow'),
    ...(job ? { jobs: [job] } : {}),
    ...(language ? { language } : {}),
    signal: context.signal,
    onEvent: (event) => {
      if (event.kind === 'commit-mined')
        context.err(`${event.commit} closes #${event.issue}: ${event.loss ?? 'made'}\n`)
    },
  })
  const made = mined.commits.filter(({ loss }) => loss === null)
  if (context.json) printJson(context, mined)
  else context.out(renderMined(mined))
  return made.length > 0 ? 0 : 1
}

function countFlag(context: CommandContext, name: string, usual: number): number {
  const text = textFlag(context, name)
  if (text === undefined) return usual
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InputError(`--${name} ${text}: expected a number from 1 on`)
  return Number(text)
}

function renderMined({ looked, commits }: Mined): string {
  const losses = new Map<string, number>()
  for (const { loss } of commits) if (loss !== null) losses.set(loss, (losses.get(loss) ?? 0) + 1)
  const made = commits.filter(({ loss }) => loss === null)
  return [
    ...made.map(({ folder, commit, issue }) =>
      plainText(`${folder}: ${commit.slice(0, 12)}, issue ${issue}`),
    ),
    '',
    `${looked} commits → ${commits.length} close an issue → ${made.length} tasks`,
    ...(losses.size > 0
      ? [`left out: ${[...losses].map(([loss, count]) => `${loss} ${count}`).join(', ')}`]
      : []),
    ...(made.length > 0 ? ['next: arena task lint, then arena task verify'] : []),
    '',
  ].join('\n')
}
