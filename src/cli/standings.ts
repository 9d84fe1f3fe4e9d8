import { InputError } from '../errors.ts'
import type { Command, ExitCode } from './command.ts'
import { renderStandings } from './table.ts'
import { printJson, withArena } from './with-arena.ts'

export const standingsCommand: Command = {
  name: 'standings',
  summary: 'Prints the standings of a season, of the newest one when none is named',
  operands: '[SEASON]',
  arity: [0, 1],
  options: {},
  examples: ['arena standings', 'arena standings demo --json'],
  run(context) {
    const [season] = context.operands
    return withArena<ExitCode>(context, 'standings', async (arena) => {
      const standings = await arena.standings(season)
      if (!standings)
        throw new InputError(season ? `there is no season ${season}` : 'no season was played yet', {
          place: context.config.dataDir,
          remedy: 'arena demo plays one',
        })
      if (context.json) printJson(context, standings)
      else context.out(renderStandings(standings))
      return 0
    })
  },
}
