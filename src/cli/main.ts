import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../config.ts'
import { ArenaError, InputError, messageOf } from '../errors.ts'
import { battleCommand } from './battle.ts'
import { ciCommand } from './ci.ts'
import { type Command, helpOf, parseCommand } from './command.ts'
import { contextCommand } from './context.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { mutantsCommand } from './mutants.ts'
import { patchCommand } from './patch.ts'
import { ratingsCommand } from './ratings.ts'
import { recordCommand } from './record.ts'
import { rejudgeCommand } from './rejudge.ts'
import { seasonCommand } from './season.ts'
import { serveCommand } from './serve.ts'
import { showCommand } from './show.ts'
import { standingsCommand } from './standings.ts'
import { taskCommand } from './task.ts'
import { verifierCommand } from './verifier.ts'

const COMMANDS: readonly Command[] = [
  demoCommand,
  battleCommand,
  seasonCommand,
  standingsCommand,
  ratingsCommand,
  showCommand,
  serveCommand,
  rejudgeCommand,
  recordCommand,
  taskCommand,
  mutantsCommand,
  verifierCommand,
  patchCommand,
  ciCommand,
  contextCommand,
  doctorCommand,
]

/** The arena's own folder: the nearest one above this file that holds its package.json. */
function findHome(): string {
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  )
    if (existsSync(join(folder, 'package.json'))) return folder
  throw new Error('the folder of ci-arena was not found')
}

const overview = (): string =>
  [
    'arena: a competitive evaluation arena for coding models',
    '',
    'Usage: arena COMMAND [options]; arena COMMAND --help shows its options and examples',
    '',
    ...COMMANDS.map((command) => `  ${command.name.padEnd(12)} ${command.summary}`),
    '',
    'Exit codes: 0 done, 1 the answer is no, 2 wrong use or broken input, 3 the environment broke',
    '',
  ].join('\n')

async function run(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args
  const home = findHome()
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(overview())
    return name === undefined ? 2 : 0
  }
  if (name === '--version') {
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
    process.stdout.write(`${version}\n`)
    return 0
  }
  const command = COMMANDS.find((candidate) => candidate.name === name)
  if (!command) throw new InputError(`there is no command ${name}`, { remedy: `arena --help lists them` })
  const { flags, operands } = parseCommand(command, rest)
  if (flags.help) {
    process.stdout.write(helpOf(command))
    return 0
  }
  const sandbox = flags.sandbox
  if (sandbox !== undefined && sandbox !== 'auto' && sandbox !== 'bubblewrap' && sandbox !== 'docker')
    throw new InputError(`--sandbox ${sandbox}: expected bubblewrap, docker or auto`)
  const folder = process.cwd()
  const abort = new AbortController()
  const stop = (): void => {
    // The second one ends at once.
    if (abort.signal.aborted) process.exit(130)
    process.stderr.write('\nstopping: what is finished is kept; the same command goes on from here\n')
    abort.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const running = command.run({
    config: readConfig(process.env, folder, {
      data: typeof flags.data === 'string' ? flags.data : undefined,
      sandbox,
    }),
    flags,
    operands,
    json: flags.json === true,
    folder,
    home,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    live: process.stderr.isTTY === true,
    signal: abort.signal,
  })
  return running.catch((error: unknown) => {
    const isStop = error instanceof Error && error.name === 'AbortError'
    if (!abort.signal.aborted || !isStop) throw error
    process.stderr.write('arena: stopped\n')
    return 3
  })
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  if (error instanceof ArenaError) {
    process.stderr.write(`arena: ${messageOf(error)}\n`)
    process.exitCode = error.kind === 'input' ? 2 : 3
  } else {
    process.stderr.write(`arena: unexpected error: ${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 3
  }
}
