import { resolve } from 'node:path'
import { type CiPlanResult, planCi } from '../arena/plan-ci.ts'
import { actionsFlag } from './actions-flag.ts'
import { type CommandContext, type ExitCode, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { printJson } from './with-arena.ts'

export const CI_PLAN_OPTIONS = {
  branch: { type: 'string', value: 'NAME', help: 'plan: ask the filters of `on` with this branch' },
  tag: { type: 'string', value: 'NAME', help: 'plan: ask the filters of `on` with this tag' },
  changed: { type: 'string', value: 'PATHS', help: 'plan: changed paths, commas between' },
} as const

type Plan = CiPlanResult['plans'][number]
type Leg = Plan['legs'][number]
type Step = Leg['steps'][number]

/** `arena ci plan`: exit code 1 when a workflow cannot be read. */
export async function runCiPlan(context: CommandContext): Promise<ExitCode> {
  const [branch, tag, changed] = ['branch', 'tag', 'changed'].map((name) => textFlag(context, name))
  const result = await planCi({
    config: context.config,
    repo: resolve(context.folder, textFlag(context, 'repo') ?? '.'),
    commit: textFlag(context, 'commit'),
    workflow: textFlag(context, 'workflow'),
    event: textFlag(context, 'event') ?? 'push',
    filter: {
      ...(branch === undefined ? {} : { branch }),
      ...(tag === undefined ? {} : { tag }),
      ...(changed === undefined ? {} : { changed: changed.split(',') }),
    },
    substitute: context.flags.substitute === true,
    actionsFolder: actionsFlag(context),
    javascript: context.flags.javascript === true,
    fetches: context.flags.offline !== true,
  })
  const job = textFlag(context, 'job')
  const plans = result.plans.map((plan) => ({
    ...plan,
    legs: plan.legs.filter((leg) => job === undefined || leg.job === job || leg.job.startsWith(`${job}/`)),
  }))
  if (context.json) printJson(context, documentOf({ ...result, plans }))
  else context.out(plainText(renderPlan({ ...result, plans })))
  return result.unreadable.length > 0 ? 1 : 0
}

function documentOf({ commit, plans, unreadable }: CiPlanResult): unknown {
  const legs = plans.flatMap(({ workflow, event, legs }) =>
    legs.map((leg) => ({
      workflow: workflow.path,
      event,
      job: leg.job,
      name: leg.leg,
      matrix: leg.matrix,
      runsOn: leg.runsOn,
      status: leg.status,
      reason: leg.reason,
      notes: leg.notes,
      timeoutMs: leg.timeoutMs,
      continueOnError: leg.continueOnError,
      steps: leg.steps.map(({ name, uses, status, reason, class: stepClass, notes, line }) => ({
        ...{ name, line, uses, class: stepClass, status, reason, notes },
      })),
    })),
  )
  return { commit, legs, unreadable }
}

function renderPlan({ commit, plans, unreadable }: CiPlanResult): string {
  const legs = plans.flatMap((plan) => plan.legs)
  const counts = (['planned', 'unsupported', 'skipped'] as const).map(
    (status) => `${legs.filter((leg) => leg.status === status).length} ${status}`,
  )
  return [
    ...plans.flatMap(({ workflow, event, legs }) => [
      `${workflow.path} on ${event}`,
      ...legs.flatMap(renderLeg),
      '',
    ]),
    ...unreadable.map((reason) => `cannot be read: ${reason}`),
    `${commit.slice(0, 12)}: ${legs.length} legs, ${counts.join(', ')}`,
    '',
  ].join('\n')
}

const renderLeg = (leg: Leg): string[] => [
  `  ${leg.leg}: ${[leg.status, ...leg.runsOn].join(', ')}${leg.reason === null ? '' : `: ${leg.reason}`}`,
  ...leg.notes.map((note) => `    ${note}`),
  ...(leg.status === 'planned' ? leg.steps.map(renderStep) : []),
]

function renderStep({ name, status, reason, class: stepClass, notes }: Step): string {
  const sign = status === 'skipped' ? 'skipped' : stepClass
  const told = [...(status === 'decided-later' ? ['decided when the job runs'] : []), ...notes, reason ?? '']
  const why = told.filter((text) => text !== '').join('; ')
  return `    ${sign.padEnd(8)} ${name}${why === '' ? '' : ` → ${why}`}`
}
