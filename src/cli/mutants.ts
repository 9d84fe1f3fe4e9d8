import { resolve } from 'node:path'
import type { MutantReport } from '../arena/mutants.ts'
import { ALLOW_ADDRESS, addressesFlag } from './allow-address.ts'
import { type Command, type ExitCode, numberFlag, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { renderTable } from './table.ts'
import { printJson, withArena } from './with-arena.ts'

const left = (title: string) => ({ title, align: 'left' as const })
const right = (title: string) => ({ title, align: 'right' as const })

/** One line of a part of a text. */
const shown = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 40 ? `${line.slice(0, 39)}…` : line
}

function render(report: MutantReport): string {
  const { mutants, table, dropped, tried } = report
  const numberOf = new Map(mutants.map(({ id }, index) => [id, index + 1]))
  const marks = (row: MutantReport['table'][number]): string =>
    mutants
      .map(({ id }) =>
        row.killed.includes(id) ? String((numberOf.get(id) ?? 0) % 10) : row.unknown.includes(id) ? '?' : '·',
      )
      .join('')
  return [
    `${report.task}: ${mutants.length} mutants of ${tried} tried; ${dropped['does-not-build']} do not build, ${dropped['no-test-tells']} no known test can tell, ${dropped.infrastructure} the machine broke`,
    '',
    renderTable(
      [right('#'), left('mutant'), left('where'), left('golden'), left('instead')],
      mutants.map((mutant, index) => [
        String(index + 1),
        mutant.operator,
        `${mutant.path}:${mutant.line}`,
        shown(mutant.before),
        shown(mutant.after),
      ]),
    ),
    '',
    renderTable(
      [left('tests'), right('admitted'), right('killed'), right('share'), left('which')],
      table.map((row) => [
        row.tests,
        row.forfeit ?? String(row.admitted.length),
        `${row.killed.length} of ${mutants.length - row.unknown.length}`,
        row.share === null ? '–' : `${Math.round(row.share * 100)} %`,
        marks(row),
      ]),
    ),
    '',
    `cells: ${report.cells.hit} found, ${report.cells.miss} run`,
    '',
  ].join('\n')
}

export const mutantsCommand: Command = {
  name: 'mutants',
  summary:
    'Makes wrong patches of the golden one, and shows which tests kill which: `arena mutants --task DIR [TESTS…]`',
  operands: '[TESTS…]',
  arity: [0, 100],
  options: {
    task: { type: 'string', value: 'DIR', help: 'folder with task.json' },
    'allow-address': ALLOW_ADDRESS,
    most: { type: 'string', value: 'N', help: 'mutants that are kept at most, 1 to 500 (20)' },
  },
  examples: [
    'arena mutants --task examples/tasks/python-cron-weekday examples/competitors/thorough examples/competitors/steady',
    'arena mutants --task tasks/mine answer.md --most 50 --json',
  ],
  async run(context) {
    const request = {
      taskPath: resolve(context.folder, textFlag(context, 'task', true)),
      tests: context.operands.map((path) => resolve(context.folder, path)),
      most: numberFlag(context, 'most', [1, 500]) ?? 20,
    }
    const allowAddresses = addressesFlag(context)
    return withArena<ExitCode>(context, 'mutants', async (arena, endProgress) => {
      const report = await arena.mutants(request, { allowAddresses, signal: context.signal })
      endProgress()
      if (context.json) printJson(context, report)
      else context.out(plainText(render(report)))
      return report.mutants.length === 0 ? 1 : 0
    })
  },
}
