import { resolve } from 'node:path'
import { compareInFile, type FittedRatings, fitFile } from '../arena/fit-ratings.ts'
import { verifyExport } from '../arena/snapshots.ts'
import { InputError } from '../errors.ts'
import { type Command, type CommandContext, type ExitCode, numberFlag, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { renderComparison, renderFit, renderVerified } from './ratings-text.ts'
import { printJson, withArena } from './with-arena.ts'

const listFlag = (context: CommandContext, name: string): readonly string[] =>
  (textFlag(context, name) ?? '').split(',').flatMap((part) => part.trim() || [])

function remarksOn({ ignored, unrated }: Pick<FittedRatings, 'ignored' | 'unrated'>): string {
  return [
    ...(ignored.length > 0
      ? [`arena: columns that say nothing to the ratings: ${ignored.join(', ')}\n`]
      : []),
    ...(unrated > 0 ? [`arena: ${unrated} rounds are marked as not rated and left out\n`] : []),
  ].join('')
}

async function fitRounds(context: CommandContext, file: string): Promise<ExitCode> {
  const model = textFlag(context, 'model') ?? 'role'
  if (model !== 'role' && model !== 'conditional')
    throw new InputError(`--model ${model}: expected role or conditional`)
  const fitted = await fitFile({
    file: resolve(context.folder, file),
    anchors: listFlag(context, 'anchors'),
    seed: numberFlag(context, 'seed', [0, 2 ** 31 - 1]) ?? 1,
    bootstrap: numberFlag(context, 'bootstrap', [0, 100_000]) ?? 0,
    model,
  })
  context.err(plainText(remarksOn(fitted)))
  if (context.json) printJson(context, fitted)
  else context.out(plainText(renderFit(fitted)))
  return 0
}

async function compare(context: CommandContext, file: string, names: readonly string[]): Promise<ExitCode> {
  const [a, b] = names
  if (a === undefined || b === undefined)
    throw new InputError('arena ratings compare takes a file and two competitors', {
      remedy: 'arena ratings compare rounds.csv A B',
    })
  const compared = await compareInFile(
    resolve(context.folder, file),
    a,
    b,
    numberFlag(context, 'lead', [1, 1000]),
  )
  if (context.json) printJson(context, compared)
  else context.out(plainText(renderComparison(compared)))
  return 0
}

async function verify(context: CommandContext, folder: string): Promise<ExitCode> {
  const verified = await verifyExport(resolve(context.folder, folder), textFlag(context, 'digest'))
  if (context.json) printJson(context, verified)
  else context.out(plainText(renderVerified(verified)))
  return verified.holds ? 0 : 1
}

function snapshot(context: CommandContext, season: string): Promise<ExitCode> {
  const out = textFlag(context, 'out')
  return withArena<ExitCode>(context, 'ratings snapshot', async (arena) => {
    const folder = out === undefined ? undefined : resolve(context.folder, out)
    const { digest, isNew, auditAlarms, snapshot } = await arena.snapshot(season, folder)
    if (context.json) printJson(context, { digest, isNew, auditAlarms, folder: folder ?? null, snapshot })
    else if (auditAlarms.length === 0)
      context.out(`snapshot ${digest}${isNew ? '' : ', kept before'}${out ? `, written to ${out}` : ''}\n`)
    if (auditAlarms.length === 0) return 0
    context.err(
      `arena: the audit model says something else of ${auditAlarms.join(', ')} (|z| above 3): no snapshot is kept\n`,
    )
    return 1
  })
}

export const ratingsCommand: Command = {
  name: 'ratings',
  summary: 'Fits rounds from a file, compares two competitors of it, makes and verifies snapshots',
  operands: 'fit FILE | compare FILE A B | snapshot SEASON | verify DIR',
  arity: [2, 4],
  options: {
    anchors: { type: 'string', value: 'A,B', help: 'fit: competitors whose mean is 1500' },
    bootstrap: { type: 'string', value: 'N', help: 'fit: fit again on N draws of the tasks (0)' },
    model: { type: 'string', value: 'NAME', help: 'fit: what is bootstrapped, role or conditional (role)' },
    seed: { type: 'string', value: 'N', help: 'fit: of every draw (1)' },
    out: { type: 'string', value: 'DIR', help: 'snapshot: a new folder to write it to' },
    digest: {
      type: 'string',
      value: 'SHA256',
      help: 'verify: what it was published under (its DIGEST file)',
    },
    lead: { type: 'string', value: 'ELO', help: 'compare: the lead that is tested for (50)' },
  },
  examples: [
    'arena ratings fit rounds.csv',
    'arena ratings fit rounds.ndjson --anchors base@1,base@2 --bootstrap 1000 --json',
    'arena ratings compare rounds.csv model-a model-b',
    'arena ratings snapshot demo --out demo-ratings',
    'arena ratings verify demo-ratings',
  ],
  async run(context) {
    const [action, file = '', ...names] = context.operands
    if (action === 'compare') return compare(context, file, names)
    if (names.length > 0)
      throw new InputError(`arena ratings ${action} takes one operand`, {
        remedy: 'see arena ratings --help',
      })
    if (action === 'fit') return fitRounds(context, file)
    if (action === 'snapshot') return snapshot(context, file)
    if (action === 'verify') return verify(context, file)
    throw new InputError(`arena ratings ${action}: there is no such action`, {
      remedy: 'use fit, compare, snapshot or verify',
    })
  },
}
