import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CiRunResult, runCi } from '../arena/run-ci.ts'
import { warmOptions } from '../arena/warm-options.ts'
import { EnvironmentError, InputError, messageOf } from '../errors.ts'
import type { LegResult } from '../schema/ci-run.ts'
import { actionsFlag } from './actions-flag.ts'
import { ALLOW_ADDRESS, addressesFlag } from './allow-address.ts'
import { type CommandContext, type ExitCode, textFlag } from './command.ts'
import { junitOf } from './junit.ts'
import { createStepTree } from './step-tree.ts'
import { renderTable } from './table.ts'
import { printJson } from './with-arena.ts'

export const CI_RUN_OPTIONS = {
  patch: {
    type: 'string',
    value: 'FILE',
    help: 'run: a git diff against the commit, applied before anything is built',
  },
  offline: { type: 'boolean', help: 'run: no step reaches a network, not even to install' },
  junit: { type: 'string', value: 'FILE', help: 'run: write steps and tests as JUnit XML' },
  cold: { type: 'boolean', help: 'run: install anew instead of using a kept layer' },
  'allow-address': ALLOW_ADDRESS,
} as const

/** `arena ci run`: exit code 1 when a leg is red. */
export async function runCiRun(context: CommandContext): Promise<ExitCode> {
  const job = textFlag(context, 'job')
  const patch = textFlag(context, 'patch')
  const tree = createStepTree({ write: context.err })
  const result = await runCi({
    config: context.config,
    home: context.home,
    repo: resolve(context.folder, textFlag(context, 'repo') ?? '.'),
    commit: textFlag(context, 'commit'),
    patch: patch === undefined ? undefined : resolve(context.folder, patch),
    workflow: textFlag(context, 'workflow'),
    ...(job === undefined ? {} : { jobs: [job] }),
    matrix: matrixOf(textFlag(context, 'matrix')),
    event: eventOf(textFlag(context, 'event') ?? 'push'),
    substitute: context.flags.substitute === true,
    actionsFolder: actionsFlag(context),
    javascript: context.flags.javascript === true,
    warm:
      context.flags.offline === true
        ? undefined
        : warmOptions({
            config: context.config,
            allowAddresses: addressesFlag(context),
            reuse: context.flags.cold !== true,
          }),
    signal: context.signal,
    onEvent: tree.onEvent,
  })
  const legs = result.workflows.flatMap((workflow) => workflow.legs)
  const junit = textFlag(context, 'junit')
  if (junit !== undefined) await writeJunit(resolve(context.folder, junit), legs)
  if (context.json) printJson(context, documentOf(result))
  else context.out(renderRun(result))
  const red = legs.some(({ status }) => !['success', 'skipped', 'unsupported'].includes(status))
  const broken = legs.some(({ status }) => status === 'infra_error')
  return broken ? 3 : red || result.unreadable.length > 0 ? 1 : 0
}

async function writeJunit(file: string, legs: readonly LegResult[]): Promise<void> {
  try {
    await writeFile(file, junitOf(legs))
  } catch (cause) {
    throw new EnvironmentError('--junit: cannot be written', { place: file, remedy: messageOf(cause), cause })
  }
}

const EVENTS = ['push', 'pull_request', 'workflow_dispatch'] as const

function eventOf(text: string): (typeof EVENTS)[number] {
  const event = EVENTS.find((one) => one === text)
  if (event === undefined) throw new InputError(`--event ${text}: expected ${EVENTS.join(', ')}`)
  return event
}

/** `os=ubuntu-latest,python=3.12`. */
function matrixOf(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (text === undefined) return undefined
  const pairs = text.split(',').map((pair): [string, string] => {
    const [name = '', ...rest] = pair.split('=')
    if (name.trim() === '' || rest.length === 0)
      throw new InputError(`--matrix ${text}: expected KEY=VALUE, several of them with commas between`)
    return [name.trim(), rest.join('=').trim()]
  })
  return Object.fromEntries(pairs)
}

/** How many cases of a leg ended how. */
function countsOf(leg: LegResult): Record<'passed' | 'failed' | 'skipped' | 'errored', number> {
  const counts = { passed: 0, failed: 0, skipped: 0, errored: 0 }
  for (const { cases } of leg.processes) for (const { status } of cases) counts[status] += 1
  return counts
}

function documentOf(result: CiRunResult): unknown {
  const legs = result.workflows.flatMap(({ workflow, legs }) =>
    legs.map((leg) => ({
      workflow,
      job: leg.job,
      name: leg.leg,
      matrix: leg.matrix,
      status: leg.status,
      reason: leg.reason,
      steps: leg.steps.map(({ name, outcome, conclusion, exitCode, durationMs, log, notes }) => ({
        ...{ name, outcome, conclusion, exitCode, durationMs, log, notes },
      })),
      tests: countsOf(leg),
      cases: leg.processes.flatMap(({ process, cases }) =>
        cases.map(({ suite, name, status }) => ({ process, suite, name, status })),
      ),
      limits: leg.limits,
      durationMs: leg.durationMs,
      cpuMs: leg.cpuMs,
      peakMemoryMiB: leg.peakMemoryMiB,
    })),
  )
  const { commit, sandbox, unreadable, logs } = result
  return { commit, sandbox, legs, unreadable, logs }
}

function renderRun(result: CiRunResult): string {
  const left = (title: string) => ({ title, align: 'left' as const })
  const right = (title: string) => ({ title, align: 'right' as const })
  const rows = result.workflows
    .flatMap(({ legs }) => legs)
    .map((leg) => {
      const { passed, failed, skipped, errored } = countsOf(leg)
      return [
        leg.leg,
        leg.status,
        String(passed),
        String(failed + errored),
        String(skipped),
        `${(leg.durationMs / 1000).toFixed(1)} s`,
        leg.reason ?? failingStep(leg),
      ]
    })
  const columns = [
    left('leg'),
    left('status'),
    right('passed'),
    right('failed'),
    right('skipped'),
    right('time'),
    left(''),
  ]
  const failing = result.workflows
    .flatMap(({ legs }) => legs)
    .flatMap((leg) => leg.processes.flatMap(({ cases }) => cases))
    .filter(({ status }) => status === 'failed' || status === 'errored')
  return [
    renderTable(columns, rows),
    ...(failing.length === 0
      ? []
      : ['', 'failed:', ...failing.slice(0, 20).map(({ suite, name }) => `  ${suite}::${name}`)]),
    ...(failing.length > 20 ? [`  and ${failing.length - 20} more`] : []),
    ...(result.unreadable.length === 0 ? [] : ['', ...result.unreadable]),
    '',
    `${result.commit.slice(0, 12)} in ${result.sandbox}`,
    `logs: ${result.logs}`,
    '',
  ].join('\n')
}

const failingStep = (leg: LegResult): string => {
  const step = leg.steps.find(({ conclusion }) => conclusion !== 'success' && conclusion !== 'skipped')
  if (!step) return ''
  const code = step.exitCode === null ? '' : `, exit code ${step.exitCode}`
  return `${step.name}: ${step.conclusion}${code}${step.log ? `, log ${step.log.slice(0, 12)}` : ''}`
}
