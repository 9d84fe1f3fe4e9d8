import { type Command, type ExitCode, numberFlag, textFlag } from './command.ts'
import { printJson, untilStopped, withArena } from './with-arena.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serves the leaderboard and its API',
  operands: '',
  arity: [0, 0],
  options: {
    port: { type: 'string', value: 'N', help: 'port (8080; 0 takes a free one)' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
  },
  examples: ['arena serve', 'arena serve --host 0.0.0.0 --port 80'],
  run(context) {
    const port = numberFlag(context, 'port', [0, 65_535]) ?? 8080
    const host = textFlag(context, 'host') ?? '127.0.0.1'
    return withArena<ExitCode>(context, 'serve', async (arena) => {
      const { address } = await arena.serve({ port, host })
      if (context.json) printJson(context, { address })
      else context.out(`leaderboard: ${address} (Ctrl-C ends)\n`)
      await untilStopped(context.signal)
      return 0
    })
  },
}
