import { resolve } from 'node:path'
import type { VerifierReport } from '../arena/measure-verifier.ts'
import { readAssessor } from '../arena/read-assessor.ts'
import { ALLOW_ADDRESS, addressesFlag } from './allow-address.ts'
import { type Command, type ExitCode, numberFlag, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { renderTable } from './table.ts'
import { printJson, withArena } from './with-arena.ts'

const left = (title: string) => ({ title, align: 'left' as const })
const right = (title: string) => ({ title, align: 'right' as const })

const area = (value: number | null): string => (value === null ? '–' : value.toFixed(2))

function render(report: VerifierReport): string {
  const rows = report.tasks.flatMap(({ task, patches }) =>
    patches.map(({ patch, score, how, reason }) => [
      task,
      patch,
      score === null ? '–' : score.toFixed(3),
      how ?? reason ?? '',
    ]),
  )
  return [
    renderTable([left('task'), left('patch'), right('score'), left('how')], rows),
    '',
    ...report.tasks.map(({ task, auc }) => `AUC ${area(auc)}  ${task}`),
    `AUC ${area(report.auc)}  mean over tasks; ${report.unscored} patches without a score`,
    '',
  ].join('\n')
}

export const verifierCommand: Command = {
  name: 'verifier',
  summary: 'Measures how well a served model tells golden patches from mutants of them',
  operands: 'TASK…',
  arity: [1, 1000],
  options: {
    endpoint: { type: 'string', value: 'FILE', help: 'settings of the model: docs/verifier.md' },
    most: { type: 'string', value: 'N', help: 'mutants of a task at most, 1 to 500 (20)' },
    'context-tokens': {
      type: 'string',
      value: 'N',
      help: 'how much of the repository is shown (8000; 0 for none)',
    },
    'allow-loopback': { type: 'boolean', help: 'the model may be on this machine' },
    'allow-address': ALLOW_ADDRESS,
  },
  examples: [
    'arena verifier examples/tasks --endpoint verifier.yml',
    'arena verifier tasks/mine --endpoint verifier.yml --allow-loopback --most 50 --json',
  ],
  async run(context) {
    const spec = await readAssessor(resolve(context.folder, textFlag(context, 'endpoint', true)))
    const request = {
      spec,
      paths: context.operands.map((path) => resolve(context.folder, path)),
      most: numberFlag(context, 'most', [1, 500]) ?? 20,
      contextTokens: numberFlag(context, 'context-tokens', [0, 1_000_000]) ?? 8000,
    }
    const addresses = {
      allowLoopback: context.flags['allow-loopback'] === true,
      allow: addressesFlag(context),
    }
    return withArena<ExitCode>(context, 'verifier', async (arena, endProgress) => {
      const report = await arena.measureVerifier(request, { addresses, signal: context.signal })
      endProgress()
      if (context.json) printJson(context, report)
      else context.out(plainText(render(report)))
      return report.auc === null ? 1 : 0
    })
  },
}
