import { spendingOf } from '../arena/spending.ts'
import { InputError } from '../errors.ts'
import type { RoundView } from '../schema/view.ts'
import type { Command, ExitCode } from './command.ts'
import { plainText } from './plain-text.ts'
import { money } from './prices.ts'
import { renderTable } from './table.ts'
import { printJson, withArena } from './with-arena.ts'

const left = (title: string) => ({ title, align: 'left' as const })
const right = (title: string) => ({ title, align: 'right' as const })

/** The patches that were drawn, and which of them plays. */
const renderDraw = (draw: NonNullable<RoundView['round']['draw']>, chosen: string): string =>
  [
    `chosen by ${draw.chosenBy}${draw.verifier === null ? '' : ` (${draw.verifier})`} of ${draw.patches.length} drawn at temperature ${draw.temperature}`,
    renderTable(
      [left('patch'), right('score'), left('playable'), left('resolved'), left('plays')],
      draw.patches.map(({ patch, score, playable, resolved }) => [
        patch.slice(0, 12),
        score === null ? '–' : score.toFixed(3),
        playable,
        resolved,
        patch === chosen ? 'yes' : '',
      ]),
    ),
    '',
  ].join('\n')

/** A round for a terminal: verdict and why, both diffs, every CI run in a line a leg. */
function renderRound(view: RoundView): string {
  const { round, patch, tests } = view
  const { verdict } = round
  const { cost } = spendingOf({ calls: [...patch.calls, ...(tests?.calls ?? [])] })
  const diffOf = (generation: RoundView['patch']): string =>
    generation.outcome.kind === 'applied'
      ? generation.outcome.applied
      : `(${generation.outcome.reason}: ${generation.outcome.detail})\n`
  const cells = view.cells.flatMap((cell): string[][] => {
    if (!cell.run) return [[cell.role, '–', 'no longer kept', '']]
    if (cell.run.kind === 'workflow')
      return cell.run.legs.map((leg) => {
        const cases = leg.processes.flatMap((process) => process.cases)
        const passed = cases.filter((result) => result.status === 'passed').length
        return [
          cell.role,
          leg.leg,
          leg.status,
          cases.length > 0 ? `${passed}/${cases.length} passed` : (leg.reason ?? ''),
        ]
      })
    return cell.run.legs.map((leg) => [
      cell.role,
      leg.leg,
      leg.infra ? 'infra_error' : '',
      leg.files.flatMap((file) => file.cases.map((result) => `${result.case} ${result.outcome}`)).join(', '),
    ])
  })
  return [
    `round ${round.id}`,
    `${view.task.id} (${view.task.repository}): ${view.submitterLabel} submits, ${view.reviewerLabel} reviews`,
    '',
    `verdict: ${verdict.kind}; points ${verdict.points.submitter} and ${verdict.points.reviewer}; judge ${verdict.judgeVersion}`,
    ...(verdict.submitterReason ? [`the patch: ${verdict.submitterReason}`] : []),
    ...(verdict.reviewerReason ? [`the tests: ${verdict.reviewerReason}`] : []),
    ...verdict.killedBy.map((key) => `killed by ${key.case} in ${key.file} (${key.leg}): ${key.outcome}`),
    ...verdict.broken.map((key) => `broken: ${key.case ?? 'the leg'} in ${key.leg}: ${key.found}`),
    ...verdict.forged.map((process) => `forged: ${process}`),
    ...verdict.rejected.map((key) => `not admitted: ${key.case} in ${key.file} (${key.leg}): ${key.why}`),
    ...verdict.voidBecause.map((reason) => `void: ${reason}`),
    '',
    'patch',
    diffOf(patch),
    ...(round.draw ? [renderDraw(round.draw, round.patch)] : []),
    'tests',
    tests ? diffOf(tests) : '(not asked: the patch had lost before)\n',
    renderTable([left('cell'), left('leg'), left('status'), left('tests')], cells),
    '',
    renderTable(
      [
        left('asked'),
        right('attempt'),
        right('prompt tokens'),
        right('answer tokens'),
        right('cost'),
        left('stop'),
        left('error'),
      ],
      [patch, ...(tests ? [tests] : [])].flatMap((generation) =>
        generation.calls.map((call) => [
          generation.kind,
          String(call.attempt),
          String(call.promptTokens ?? '–'),
          String(call.completionTokens ?? '–'),
          money(call.cost),
          call.stopReason ?? '–',
          call.error ?? '',
        ]),
      ),
    ),
    ...(cost ? [`cost: ${money(cost)}, by the prices of ${cost.date}`] : []),
    '',
  ].join('\n')
}

export const showCommand: Command = {
  name: 'show',
  summary: 'Prints a round: verdict and reasons, both diffs, every CI run',
  operands: 'ROUND',
  arity: [1, 1],
  options: {},
  examples: ['arena show 3f2a9c41d0b7', 'arena show 3f2a9c41d0b7 --json'],
  run(context) {
    const [id = ''] = context.operands
    return withArena<ExitCode>(context, 'show', async (arena) => {
      const view = await arena.round(id)
      if (!view)
        throw new InputError(`there is no round ${id}`, {
          remedy: 'give its id, or the first 12 or more characters',
        })
      if (context.json) printJson(context, view)
      else context.out(plainText(renderRound(view)))
      return 0
    })
  },
}
