import { examineMachine } from '../arena/doctor.ts'
import type { Command } from './command.ts'
import { printJson } from './with-arena.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Tells what this machine can do: sandboxes and their limits, toolchains, database, each with its remedy',
  operands: '',
  arity: [0, 0],
  options: {},
  examples: ['arena doctor', 'arena doctor --json'],
  async run(context) {
    const diagnosis = await examineMachine(context.config)
    if (context.json) printJson(context, diagnosis)
    else {
      for (const { what, ok, detail, remedy } of diagnosis.findings) {
        context.out(`${ok ? 'ok' : '--'}  ${what}: ${detail}\n`)
        if (remedy) context.out(`    remedy: ${remedy}\n`)
      }
      context.out(
        diagnosis.canPlay
          ? `\nrounds can be played here${diagnosis.canRate ? '' : ', unrated: no sandbox limits memory, processes and disk'}\n`
          : '\nno rounds can be played here\n',
      )
    }
    return diagnosis.canPlay ? 0 : 3
  },
}
