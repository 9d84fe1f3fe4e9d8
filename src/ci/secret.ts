import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EnvironmentError, messageOf } from '../errors.ts'

const BYTES = 32

/**
 * The secret of a data folder, 32 random bytes as hex: what no competitor knows of its runs. Made on first use in a file
 * that only its owner reads; of two processes that make it at once the first one's stays. Throws EnvironmentError when the
 * file holds something else or cannot be made.
 */
export async function readSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret')
  const made = `${path}-${randomUUID()}`
  try {
    await mkdir(dataDir, { recursive: true })
    const known = await readIfThere(path)
    if (known === undefined) {
      await writeFile(made, `${randomBytes(BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
      await link(made, path).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    }
    const secret = (known ?? (await readFile(path, 'utf8'))).trim()
    if (/^[0-9a-f]{64}$/.test(secret)) return secret
  } catch (error) {
    throw new EnvironmentError(`cannot keep a secret: ${messageOf(error)}`, { place: path, cause: error })
  } finally {
    await rm(made, { force: true })
  }
  throw new EnvironmentError('no secret of 64 hexadecimal digits', {
    place: path,
    remedy: 'remove the file and a new one is made',
  })
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
