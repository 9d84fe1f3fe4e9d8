import { resolve } from 'node:path'
import { type Command, type ExitCode, textFlag } from './command.ts'
import { printJson, withArena } from './with-arena.ts'

export const recordCommand: Command = {
  name: 'record',
  summary: 'Writes what models answered in a season, so that it can be played again without them',
  operands: 'SEASON',
  arity: [1, 1],
  options: { out: { type: 'string', value: 'DIR', help: 'the folder that is made' } },
  examples: [
    'arena record my-season --out my-season.recording',
    'arena season my.season.yml --replay my-season.recording --data elsewhere',
  ],
  run(context) {
    const [season = ''] = context.operands
    const folder = resolve(context.folder, textFlag(context, 'out', true))
    return withArena<ExitCode>(context, 'record', async (arena) => {
      const { calls, ...recording } = await arena.record(season, folder)
      const count = Object.keys(calls).length
      if (context.json) printJson(context, { folder, ...recording, calls: count })
      else
        context.out(
          `${folder}: ${count} calls of ${recording.competitors.join(', ')}\nplay them again: arena season FILE --replay ${folder}\n`,
        )
      return 0
    })
  },
}
