import { resolve } from 'node:path'
import { ALLOW_ADDRESS, addressesFlag } from './allow-address.ts'
import type { Command, ExitCode } from './command.ts'
import { renderDraws } from './draws.ts'
import { renderLeftOut } from './left-out.ts'
import { PRICES, pricesFlag, renderSpending } from './prices.ts'
import { REPLAY, replayFlag } from './replay.ts'
import { renderStandings } from './table.ts'
import { printJson, STOPPED, withArena } from './with-arena.ts'

export const seasonCommand: Command = {
  name: 'season',
  summary: 'Plays every battle of a season file, or goes on where it was stopped',
  operands: 'FILE',
  arity: [1, 1],
  options: {
    'allow-loopback': { type: 'boolean', help: 'endpoints on this machine may be called' },
    'allow-address': ALLOW_ADDRESS,
    replay: REPLAY,
    prices: PRICES,
  },
  examples: ['arena season examples/demo.season.yml', 'arena season my.season.yml --allow-loopback --json'],
  async run(context) {
    const file = resolve(context.folder, context.operands[0] ?? '')
    const allowAddresses = addressesFlag(context)
    return withArena<ExitCode>(context, 'season', async (arena, endProgress) => {
      const played = await arena.playSeason(file, {
        allowLoopback: context.flags['allow-loopback'] === true,
        allowAddresses,
        replay: replayFlag(context),
        prices: pricesFlag(context),
        signal: context.signal,
      })
      endProgress()
      if (context.json)
        printJson(context, {
          rounds: played.rounds.length,
          interrupted: played.interrupted,
          changed: played.changed,
          leftOut: played.leftOut,
          standings: played.standings ?? null,
          cells: played.cells,
          spending: played.spending,
          draws: played.draws,
          usage: played.usage,
        })
      else {
        if (played.standings) context.out(renderStandings(played.standings))
        context.out(
          `\n${played.rounds.length} rounds; cells: ${played.cells.hit} found, ${played.cells.miss} run\n`,
        )
        context.out(renderSpending(played.spending))
        context.out(renderDraws(played.draws))
        if (played.changed.length > 0)
          context.out(
            `${played.changed.length} stored verdicts would be others by the current judge: arena rejudge ${played.season}\n`,
          )
      }
      context.err(renderLeftOut(played.leftOut, played.standings?.tasks.map((task) => task.language) ?? []))
      if (played.interrupted) context.err(STOPPED)
      return played.interrupted ? 3 : 0
    })
  },
}
