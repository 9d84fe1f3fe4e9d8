import { resolve } from 'node:path'
import type { VerifiedTask } from '../arena/verify-tasks.ts'
import { InputError } from '../errors.ts'
import { VerificationStage } from '../schema/verification.ts'
import { ALLOW_ADDRESS, addressesFlag } from './allow-address.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { plainText } from './plain-text.ts'
import { renderTable } from './table.ts'
import { printJson, withArena } from './with-arena.ts'

export const TASK_VERIFY_OPTIONS = {
  again: { type: 'boolean', help: 'verify: also what was verified already' },
  'allow-address': ALLOW_ADDRESS,
} as const

/** `arena task verify DIR…`: exit code 1 when a task is not accepted, 3 when the machine broke. */
export async function runTaskVerify(context: CommandContext, folders: readonly string[]): Promise<ExitCode> {
  if (folders.length === 0)
    throw new InputError('arena task verify: expected a task folder, or a folder of them')
  const allowAddresses = addressesFlag(context)
  return withArena<ExitCode>(context, 'task verify', async (arena, endProgress) => {
    const verified = await arena.verifyTasks(
      folders.map((folder) => resolve(context.folder, folder)),
      { again: context.flags.again === true, allowAddresses, signal: context.signal },
    )
    endProgress()
    const stages = conversionOf(verified)
    if (context.json) printJson(context, { tasks: verified, stages })
    else context.out(renderVerified(verified, stages))
    const codes = verified.flatMap(({ verification }) => verification.findings.map(({ code }) => code))
    if (codes.includes('infrastructure')) return 3
    return verified.every(({ verification }) => verification.stage === 'accepted') ? 0 : 1
  })
}

interface StageCount {
  readonly stage: VerificationStage
  readonly tasks: number
}

/** How many tasks reached each stage. */
function conversionOf(verified: readonly VerifiedTask[]): readonly StageCount[] {
  const reached = (stage: VerificationStage): number => VerificationStage.options.indexOf(stage)
  return VerificationStage.options.map((stage) => ({
    stage,
    tasks: verified.filter(({ verification }) => reached(verification.stage) >= reached(stage)).length,
  }))
}

function renderVerified(verified: readonly VerifiedTask[], stages: readonly StageCount[]): string {
  const left = (title: string) => ({ title, align: 'left' as const })
  const right = (title: string) => ({ title, align: 'right' as const })
  const rows = verified.map(({ task, verification, kept }) => [
    task,
    `${verification.stage}${verification.stage === 'accepted' && !verification.rated ? ', unrated' : ''}`,
    String(verification.FAIL_TO_PASS.length),
    String(verification.PASS_TO_PASS.length),
    `${(verification.golden.durationMs / 1000).toFixed(1)} s`,
    [
      ...verification.findings.map(({ code, message }) => `${code}: ${plainText(message)}`),
      ...(kept ? ['verified before'] : []),
    ].join('; '),
  ])
  const columns = [
    left('task'),
    left('stage'),
    right('fail to pass'),
    right('pass to pass'),
    right('golden'),
    left(''),
  ]
  return [
    renderTable(columns, rows),
    '',
    stages.map(({ stage, tasks }) => `${stage} ${tasks}`).join(' → '),
    '',
  ].join('\n')
}
