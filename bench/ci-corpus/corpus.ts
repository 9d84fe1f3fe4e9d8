import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type CiPlanRequest, planCi } from '../../src/arena/plan-ci.ts'
import { nameOfRepository } from '../../src/arena/repository-name.ts'
import { renderTable } from '../../src/cli/table.ts'
import { readConfig } from '../../src/config.ts'
import { countExpressions } from './expressions.ts'
import { linuxLegs, testJobs } from './jobs.ts'
import { type Comparison, compareWithPeers } from './peers.ts'

interface Row {
  readonly repository: string
  readonly commit: string
  readonly workflows: number
  readonly unreadable: readonly string[]
  readonly jobs: number
  readonly legs: number
  readonly steps: number
  readonly expressions: {
    readonly evaluated: number
    readonly later: number
    readonly failed: readonly string[]
  }
  readonly linuxLegs: { readonly all: number; readonly planned: number; readonly substituted: number }
  /** Jobs on Linux with a step that runs tests; whole: every Linux leg is planned. */
  readonly testJobs: {
    readonly all: number
    readonly planned: number
    readonly substituted: number
    readonly refused: readonly { readonly job: string; readonly reasons: readonly string[] }[]
  }
  readonly peers: Comparison
}

async function measure(repo: string, tools: { act?: string; actionlint?: string }): Promise<Row> {
  const config = readConfig(process.env, process.cwd())
  const request: CiPlanRequest = {
    config,
    repo,
    event: 'any',
    filter: {},
    substitute: false,
    fetches: true,
  }
  const asIs = await planCi(request)
  const substituted = await planCi({ ...request, substitute: true })
  const legs = asIs.plans.flatMap((plan) => plan.legs)
  const counts = asIs.plans.map(countExpressions)
  const tested = testJobs(repo, asIs.plans, substituted.plans)
  const planned = (plans: typeof asIs.plans): number =>
    linuxLegs(plans).filter(({ status }) => status !== 'unsupported').length
  return {
    repository: await nameOfRepository(repo),
    commit: asIs.commit,
    workflows: asIs.plans.length + asIs.unreadable.length,
    unreadable: asIs.unreadable,
    jobs: asIs.plans.reduce((sum, plan) => sum + plan.workflow.jobs.length, 0),
    legs: legs.length,
    steps: legs.reduce((sum, leg) => sum + leg.definition.steps.length, 0),
    expressions: {
      evaluated: counts.reduce((sum, count) => sum + count.evaluated, 0),
      later: counts.reduce((sum, count) => sum + count.later, 0),
      failed: counts.flatMap((count) => count.failed),
    },
    linuxLegs: {
      all: linuxLegs(asIs.plans).length,
      planned: planned(asIs.plans),
      substituted: planned(substituted.plans),
    },
    testJobs: {
      all: tested.length,
      planned: tested.filter(({ reasonsAsIs }) => reasonsAsIs.length === 0).length,
      substituted: tested.filter(({ reasons }) => reasons.length === 0).length,
      refused: tested.filter(({ reasons }) => reasons.length > 0),
    },
    peers: compareWithPeers(repo, asIs, tools),
  }
}

export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { act: { type: 'string' }, actionlint: { type: 'string' }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  if (positionals.length === 0) throw new Error('name the folders of repositories')
  const tools = {
    ...(values.act === undefined ? {} : { act: resolve(values.act) }),
    ...(values.actionlint === undefined ? {} : { actionlint: resolve(values.actionlint) }),
  }
  const rows: Row[] = []
  for (const folder of positionals) rows.push(await measure(resolve(folder), tools))
  process.stdout.write(values.json ? `${JSON.stringify(rows, null, 2)}\n` : render(rows))
  return rows.some(({ unreadable, expressions }) => unreadable.length + expressions.failed.length > 0) ? 1 : 0
}

function render(rows: readonly Row[]): string {
  const columns = [
    { title: 'repository', align: 'left' as const },
    { title: 'commit', align: 'left' as const },
    ...[
      ...['workflows', 'parsed', 'jobs', 'legs', 'steps', 'expressions', 'evaluated', 'later'],
      ...['Linux legs', 'planned', 'substituted', 'test jobs', 'planned', 'substituted'],
    ].map((title) => ({ title, align: 'right' as const })),
  ]
  const numbers = (row: Row): readonly number[] => {
    const { evaluated, later, failed } = row.expressions
    return [
      row.workflows,
      row.workflows - row.unreadable.length,
      row.jobs,
      row.legs,
      row.steps,
      evaluated + later + failed.length,
      evaluated,
      later,
      ...[row.linuxLegs.all, row.linuxLegs.planned, row.linuxLegs.substituted],
      ...[row.testJobs.all, row.testJobs.planned, row.testJobs.substituted],
    ]
  }
  const all = rows.map(numbers)
  const sums = (all[0] ?? []).map((_, index) => all.reduce((sum, row) => sum + (row[index] ?? 0), 0))
  const cells = rows.map((row, index) => [
    row.repository,
    row.commit.slice(0, 12),
    ...(all[index] ?? []).map(String),
  ])
  const list = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
  return [
    renderTable(columns, [...cells, ['all', '', ...sums.map(String)]]),
    ...list(
      'unreadable',
      rows.flatMap(({ repository, unreadable }) => unreadable.map((one) => `${repository} ${one}`)),
    ),
    ...list(
      'not evaluated',
      rows.flatMap(({ repository, expressions }) => expressions.failed.map((one) => `${repository} ${one}`)),
    ),
    ...list(
      'test jobs that are not supported, with substitution',
      rows.flatMap(({ repository, testJobs: { refused } }) =>
        refused.map(({ job, reasons }) => `${repository} ${job}: ${reasons.join('; ')}`),
      ),
    ),
    ...list('compared with act', [`${rows.reduce((sum, { peers }) => sum + peers.jobsInAct, 0)} jobs`]),
    ...list(
      'where act or actionlint sees it otherwise',
      rows.flatMap(({ repository, peers }) =>
        peers.disagreements.map(
          (one) => `${one.peer} ${one.kind}: ${repository} ${one.place}: ${one.message}`,
        ),
      ),
    ),
    '',
  ].join('\n')
}
