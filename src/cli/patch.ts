import { resolve } from 'node:path'
import { type PatchReading, readPatch } from '../arena/read-patch.ts'
import { InputError } from '../errors.ts'
import { LanguageId } from '../schema/language.ts'
import { type Command, textFlag } from './command.ts'
import { plainText } from './plain-text.ts'
import { renderTable } from './table.ts'
import { printJson } from './with-arena.ts'

const left = (title: string) => ({ title, align: 'left' as const })

function render(reading: PatchReading): string {
  const { kind, reason, forfeit, form, files, cases, overCap, notes } = reading
  const where = `as a ${reading.role}'s answer on ${reading.commit.slice(0, 12)}${reading.language ? ` (${reading.language})` : ''}`
  const head =
    kind === 'patch'
      ? `a ${form === 'diff' ? 'diff' : form === 'edits' ? 'set of edits' : 'set of whole files'} that can be played, ${where}`
      : `${kind}${forfeit === kind ? '' : ` (${forfeit})`}, ${where}: ${reason}`
  return [
    head,
    ...(files.length > 0
      ? [
          '',
          renderTable(
            [left('file'), left('change')],
            files.map(({ path, change }) => [path, change]),
          ),
        ]
      : []),
    ...(cases.length > 0
      ? [
          '',
          renderTable(
            [left('case'), left('in')],
            cases.map((one) => [one.case, one.file]),
          ),
        ]
      : []),
    ...overCap.map((one) => `over the caps: ${one.case} in ${one.file}`),
    ...(notes.length > 0
      ? [
          '',
          renderTable(
            [left('done'), left('file'), left('what')],
            notes.map((note) => [note.action, note.path === '' ? '–' : note.path, note.reason]),
          ),
        ]
      : []),
    '',
  ].join('\n')
}

export const patchCommand: Command = {
  name: 'patch',
  summary: 'Shows what the arena makes of an answer: `arena patch read FILE --repo DIR`',
  operands: 'read FILE',
  arity: [2, 2],
  options: {
    repo: { type: 'string', value: 'DIR', help: 'a local git repository; it is never written' },
    commit: { type: 'string', value: 'COMMIT', help: 'the base commit (HEAD)' },
    role: { type: 'string', value: 'ROLE', help: 'submitter or reviewer (submitter)' },
    language: { type: 'string', value: 'NAME', help: 'cpp, python, rust or go; found when left out' },
  },
  examples: [
    'arena patch read answer.md --repo ../mine',
    'arena patch read tests.md --repo ../mine --commit v1.2 --role reviewer --json',
  ],
  async run(context) {
    const [action, file = ''] = context.operands
    if (action !== 'read')
      throw new InputError(`arena patch ${action}: there is no such action`, { remedy: 'use read' })
    const role = textFlag(context, 'role') ?? 'submitter'
    if (role !== 'submitter' && role !== 'reviewer')
      throw new InputError(`--role ${role}: expected submitter or reviewer`)
    const text = textFlag(context, 'language')
    const language = text === undefined ? undefined : LanguageId.safeParse(text)
    if (language && !language.success)
      throw new InputError(`--language ${text}: expected ${LanguageId.options.join(', ')}`)
    const reading = await readPatch({
      file: resolve(context.folder, file),
      repo: resolve(context.folder, textFlag(context, 'repo', true)),
      commit: textFlag(context, 'commit'),
      role,
      language: language?.data,
    })
    if (context.json) printJson(context, reading)
    else context.out(plainText(render(reading)))
    return reading.kind === 'patch' ? 0 : 1
  },
}
