import { resolve } from 'node:path'
import { readAssessor } from '../arena/read-assessor.ts'
import { InputError } from '../errors.ts'
import { addressesFlag } from './allow-address.ts'
import { type CommandContext, type ExitCode, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { printJson, withArena } from './with-arena.ts'

export const TASK_CLARITY_OPTIONS = {
  endpoint: { type: 'string', value: 'FILE', help: 'clarity: settings of the model that rates' },
  'allow-loopback': { type: 'boolean', help: 'clarity: the model may be on this machine' },
} as const

/** `arena task clarity DIR…`: exit code 1 when the model gave no rating of a task. */
export async function runTaskClarity(context: CommandContext, folders: readonly string[]): Promise<ExitCode> {
  if (folders.length === 0)
    throw new InputError('arena task clarity: expected a task folder, or a folder of them')
  const spec = await readAssessor(resolve(context.folder, textFlag(context, 'endpoint', true)))
  const paths = folders.map((folder) => resolve(context.folder, folder))
  const addresses = {
    allowLoopback: context.flags['allow-loopback'] === true,
    allow: addressesFlag(context),
  }
  return withArena<ExitCode>(context, 'task clarity', async (arena, endProgress) => {
    const tasks = await arena.rateClarity({ spec, paths }, { addresses, signal: context.signal })
    endProgress()
    if (context.json) printJson(context, { model: spec.endpoint.model, tasks })
    else
      for (const { task, clarity, how, reason } of tasks)
        context.out(
          clarity === null
            ? `  –   ${task}: ${plainText(reason ?? '')}\n`
            : `${clarity.toFixed(2)}  ${task} (${how})\n`,
        )
    return tasks.every(({ clarity }) => clarity !== null) ? 0 : 1
  })
}
