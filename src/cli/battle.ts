import { resolve } from 'node:path'
import { battleSeason } from '../arena/battle-season.ts'
import { ALLOW_ADDRESS, addressesFlag } from './allow-address.ts'
import { type Command, type ExitCode, numberFlag, textFlag } from './command.ts'
import { money, PRICES, pricesFlag, renderSpending } from './prices.ts'
import { REPLAY, replayFlag } from './replay.ts'
import { renderTable } from './table.ts'
import { printJson, STOPPED, withArena } from './with-arena.ts'

export const battleCommand: Command = {
  name: 'battle',
  summary: 'Plays two OpenAI-compatible endpoints on one task: two rounds with the roles swapped',
  operands: '',
  arity: [0, 0],
  options: {
    task: { type: 'string', value: 'DIR', help: 'folder with task.json' },
    submitter: {
      type: 'string',
      value: 'URL#MODEL',
      help: 'submits first; the base URL up to /v1, then the model',
    },
    reviewer: { type: 'string', value: 'URL#MODEL', help: 'reviews first' },
    'submitter-key-env': { type: 'string', value: 'NAME', help: 'environment variable with the key' },
    'reviewer-key-env': { type: 'string', value: 'NAME', help: 'environment variable with the key' },
    temperature: { type: 'string', value: 'T', help: '0 to 2 (0)' },
    attempts: { type: 'string', value: 'N', help: 'answers asked for before a role forfeits, 1 to 5 (2)' },
    'context-tokens': {
      type: 'string',
      value: 'N',
      help: 'tokens of the repository in the prompt, 0 for none (8000)',
    },
    'max-output-tokens': { type: 'string', value: 'N', help: 'tokens of one answer (4096)' },
    timeout: { type: 'string', value: 'S', help: 'seconds for one answer, its retries counted (300)' },
    'allow-address': ALLOW_ADDRESS,
    replay: REPLAY,
    prices: PRICES,
    repeat: { type: 'string', value: 'N', help: 'plays the same battle anew: 1, 2, … (0)' },
  },
  examples: [
    'arena battle --task examples/tasks/NAME --submitter http://127.0.0.1:8000/v1#a --reviewer http://127.0.0.1:8001/v1#b',
    'arena battle --task tasks/mine --submitter https://api.example.com/v1#m --submitter-key-env KEY --reviewer …',
  ],
  async run(context) {
    const allowAddresses = addressesFlag(context)
    const temperature = Number(textFlag(context, 'temperature') ?? '0')
    const file = battleSeason({
      taskPath: resolve(context.folder, textFlag(context, 'task', true)),
      submitter: {
        address: textFlag(context, 'submitter', true),
        keyEnv: textFlag(context, 'submitter-key-env'),
      },
      reviewer: {
        address: textFlag(context, 'reviewer', true),
        keyEnv: textFlag(context, 'reviewer-key-env'),
      },
      temperature,
      attempts: numberFlag(context, 'attempts', [1, 5]) ?? 2,
      contextTokens: numberFlag(context, 'context-tokens', [0, 1_000_000]) ?? 8000,
      maxOutputTokens: numberFlag(context, 'max-output-tokens', [1, 1_000_000]) ?? 4096,
      timeoutMs: 1000 * (numberFlag(context, 'timeout', [1, 86_400]) ?? 300),
      repeat: numberFlag(context, 'repeat', [0, 1_000_000]) ?? 0,
    })
    return withArena<ExitCode>(context, 'battle', async (arena, endProgress) => {
      const played = await arena.playSeason(file, {
        allowLoopback: true,
        allowAddresses,
        replay: replayFlag(context),
        prices: pricesFlag(context),
        signal: context.signal,
      })
      endProgress()
      if (context.json)
        printJson(context, {
          season: played.season,
          rounds: played.rounds,
          interrupted: played.interrupted,
          cells: played.cells,
          spending: played.spending,
        })
      else {
        context.out(
          `${renderTable(
            ['round', 'submitter', 'reviewer', 'verdict', 'points', 'cost', 'why'].map((title) => ({
              title,
              align: 'left' as const,
            })),
            played.rounds.map((round) => [
              round.id.slice(0, 12),
              round.submitter,
              round.reviewer,
              round.verdict.kind,
              `${round.verdict.points.submitter} / ${round.verdict.points.reviewer}`,
              money(played.spending.rounds[round.id]?.cost),
              [
                round.verdict.submitterReason,
                round.verdict.reviewerReason,
                ...round.verdict.killedBy.map((key) => key.case),
                ...round.verdict.voidBecause,
              ]
                .filter((reason) => reason !== null)
                .join(', '),
            ]),
          )}\n\n${renderSpending(played.spending)}\narena show ROUND prints a round, arena serve shows it as a page\n`,
        )
      }
      if (played.interrupted) {
        context.err(STOPPED)
        return 3
      }
      return played.rounds.some((round) => round.verdict.kind === 'void') ? 3 : 0
    })
  },
}
