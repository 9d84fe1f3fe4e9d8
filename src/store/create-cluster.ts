import { execFile } from 'node:child_process'
import { readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { diskError } from './disk-errors.ts'
import { engineError } from './engine-errors.ts'

/** PGlite asks for 160 MB, all of it resident; the file system's cache does the same for one process. */
export const SERVER_SETTINGS: readonly string[] = ['shared_buffers = 16MB']

/** Its arguments: the module, the folder, the settings as JSON. Prints nothing, or why it failed as JSON. */
const CHILD = `
const [module, dataDir, settings] = process.argv.slice(1)
process.stdin.on('end', () => process.exit(1)).resume()
const fail = ({ message, code, errno }) =>
  process.stdout.write(JSON.stringify({ message: String(message), code, errno }), () => process.exit(1))
require(module).PGlite.create({ dataDir, postgresqlconf: JSON.parse(settings) })
  .then((database) => database.close())
  .then(() => process.exit(0), fail)
`

const Failure = z.object({
  message: z.string(),
  code: z.string().optional(),
  errno: z.number().optional(),
})

/**
 * Makes a database folder: beside its place and moved there when whole, so that a process killed on the way leaves nothing
 * half. Another process makes it and ends, since the engine keeps the 500 MB that this takes for as long as its process
 * lives, and a large process is slow to start others. Throws what the engine threw, and EnvironmentError for the disk's faults.
 */
export async function createCluster(folder: string): Promise<void> {
  const draft = `${folder}.new-${process.pid}`
  await removeDrafts(folder)
  try {
    await makeIn(draft).catch((error: unknown) => {
      throw engineError(error, folder)
    })
    await rename(draft, folder)
  } catch (error) {
    await removeDrafts(folder)
    throw diskError(error, folder)
  }
}

/** Those of killed processes too. */
async function removeDrafts(folder: string): Promise<void> {
  const parent = dirname(folder)
  const names = await readdir(parent).catch(() => [])
  const drafts = names.filter((name) => name.startsWith(`${basename(folder)}.new`))
  for (const name of drafts) await rm(join(parent, name), { recursive: true, force: true })
}

function makeIn(draft: string): Promise<void> {
  const module = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const args = ['-e', CHILD, module, draft, JSON.stringify(SERVER_SETTINGS)]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env: {} }, (error, stdout, stderr) => {
      if (error) reject(failureOf(stdout) ?? new Error(stderr.trim() || error.message, { cause: error }))
      else resolve()
    })
  })
}

/** What the child said; undefined when it ended without a word. */
function failureOf(stdout: string): Error | undefined {
  if (stdout === '') return undefined
  const { message, ...codes } = Failure.parse(JSON.parse(stdout))
  return Object.assign(new Error(message), codes)
}
