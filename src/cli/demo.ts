import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expectedVerdict, parseExpected } from '../arena/expected.ts'
import { InputError } from '../errors.ts'
import { LanguageId } from '../schema/language.ts'
import { type Command, type CommandContext, type ExitCode, numberFlag, textFlag } from './command.ts'
import { renderLeftOut } from './left-out.ts'
import { renderStandings } from './table.ts'
import { printJson, STOPPED, untilStopped, withArena } from './with-arena.ts'

const languageFlag = (context: CommandContext): LanguageId | undefined => {
  const text = textFlag(context, 'language')
  if (text === undefined) return undefined
  const parsed = LanguageId.safeParse(text)
  if (!parsed.success) throw new InputError(`--language ${text}: expected ${LanguageId.options.join(', ')}`)
  return parsed.data
}

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Plays the example season with scripted competitors and shows the leaderboard',
  operands: '',
  arity: [0, 0],
  options: {
    'no-serve': { type: 'boolean', help: 'end after the standings instead of serving the leaderboard' },
    port: { type: 'string', value: 'N', help: 'port of the leaderboard (8080; 0 takes a free one)' },
    language: { type: 'string', value: 'NAME', help: 'only the task in cpp, python, rust or go' },
  },
  examples: ['arena demo', 'arena demo --no-serve --json', 'arena demo --language python --port 0'],
  async run(context) {
    const port = numberFlag(context, 'port', [0, 65_535]) ?? 8080
    const language = languageFlag(context)
    const examples = join(context.home, 'examples')
    const expected = parseExpected(
      readFileSync(join(examples, 'expected.json'), 'utf8'),
      'examples/expected.json',
    )
    return withArena<ExitCode>(context, 'demo', async (arena, endProgress) => {
      const played = await arena.playSeason(join(examples, 'demo.season.yml'), {
        language,
        allowLoopback: false,
        signal: context.signal,
      })
      endProgress()
      const mismatches = played.rounds.flatMap((round) => {
        const wanted = expectedVerdict(expected, round.taskId, round.submitter, round.reviewer)
        return wanted === round.verdict.kind
          ? []
          : [
              {
                round: round.id,
                task: round.taskId,
                submitter: round.submitter,
                reviewer: round.reviewer,
                expected: wanted ?? 'nothing',
                found: round.verdict.kind,
              },
            ]
      })
      const failed = mismatches.length > 0 || played.changed.length > 0
      if (context.json)
        printJson(context, {
          rounds: played.rounds.length,
          interrupted: played.interrupted,
          mismatches,
          changed: played.changed,
          leftOut: played.leftOut,
          standings: played.standings ?? null,
          cells: played.cells,
          usage: played.usage,
        })
      else {
        if (played.standings) context.out(renderStandings(played.standings))
        const { hit, miss } = played.cells
        context.out(`\n${played.rounds.length} rounds; cells: ${hit} found, ${miss} run\n`)
        context.out(
          mismatches.length === 0
            ? 'every verdict is as expected\n'
            : `${mismatches.length} verdicts are not as expected:\n`,
        )
        for (const miss of mismatches.slice(0, 20))
          context.out(
            `  ${miss.task}: ${miss.submitter} against ${miss.reviewer}: expected ${miss.expected}, found ${miss.found} (arena show ${miss.round.slice(0, 12)})\n`,
          )
      }
      context.err(renderLeftOut(played.leftOut, played.standings?.tasks.map((task) => task.language) ?? []))
      if (played.interrupted) {
        context.err(STOPPED)
        return 3
      }
      if (context.flags['no-serve'] !== true && !context.signal.aborted) {
        const { address } = await arena.serve({ port, host: '127.0.0.1' })
        context.err(`leaderboard: ${address} (Ctrl-C ends)\n`)
        await untilStopped(context.signal)
      }
      return failed ? 1 : 0
    })
  },
}
