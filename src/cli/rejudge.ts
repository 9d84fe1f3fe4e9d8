import type { Command, ExitCode } from './command.ts'
import { printJson, withArena } from './with-arena.ts'

export const rejudgeCommand: Command = {
  name: 'rejudge',
  summary:
    'Decides the stored CI runs of a season again with the current judge; nothing is run, nothing edited',
  operands: 'SEASON',
  arity: [1, 1],
  options: {},
  examples: ['arena rejudge demo', 'arena rejudge demo --json'],
  run(context) {
    return withArena<ExitCode>(context, 'rejudge', async (arena) => {
      const result = await arena.rejudge(context.operands[0] ?? '')
      if (context.json) printJson(context, result)
      else {
        context.out(
          `judge ${result.judgeVersion}: ${result.rounds} rounds, ${result.changed.length} changed\n`,
        )
        for (const { round, before, after } of result.changed)
          context.out(`  ${round.slice(0, 12)}: ${before} → ${after}\n`)
        if (result.stale.length > 0)
          context.out(`${result.stale.length} keep their old verdict: a CI run of theirs is no longer kept\n`)
      }
      return result.changed.length > 0 ? 1 : 0
    })
  },
}
