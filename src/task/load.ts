import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { InputError } from '../errors.ts'
import { parseInput, parseJson } from '../schema/parse.ts'
import { type LoadedTask, Task } from '../schema/task.ts'

const FORMAT = 'see docs/tasks.md for the format'

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Reads a file that task.json names. A missing one is an error that names the field. */
async function readNamed(folder: string, field: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, name))
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new InputError(`${field}: there is no file ${name} in the task folder`, {
      place: join(folder, 'task.json'),
      remedy: 'add the file or correct the field',
      cause,
    })
  }
}

/**
 * Reads one task folder: task.json and the files it names, all checked. The digest covers their bytes, and of a bundle
 * the bytes too: two folders with the same digest are the same task.
 * Throws InputError that names file and field.
 */
export async function loadTask(folder: string): Promise<LoadedTask> {
  const absolute = resolve(folder)
  const place = join(absolute, 'task.json')
  let text: string
  try {
    text = await readFile(place, 'utf8')
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new InputError('there is no task.json here', {
      place: absolute,
      remedy: 'arena task new makes one',
      cause,
    })
  }
  const task = parseInput(Task, parseJson(text, place), place, FORMAT)
  const named = (field: string, name: string | null | undefined): Promise<Buffer> | null =>
    name ? readNamed(absolute, field, name) : null
  const original = await readNamed(absolute, 'statements.original', task.statements.original)
  const refined = await named('statements.refined', task.statements.refined)
  const goldenPatch = await named('goldenPatch', task.goldenPatch)
  const testPatch = await named('testPatch', task.testPatch)
  const bundle = await named('repository.bundle', task.repository.bundle)
  if (original.toString('utf8').trim() === '')
    throw new InputError('statements.original: the issue text is empty', {
      place: join(absolute, task.statements.original),
    })
  if (task.origin !== 'live' && (goldenPatch === null || testPatch === null))
    throw new InputError(`goldenPatch, testPatch: a task of origin "${task.origin}" needs both`, {
      place,
      remedy: 'add the diffs, or set origin to "live"',
    })
  const hash = createHash('sha256')
  for (const part of [text, original, refined, goldenPatch, testPatch, bundle]) {
    const bytes = part === null ? Buffer.alloc(0) : Buffer.from(part)
    hash.update(`${part === null ? 'none' : bytes.length}\n`).update(bytes)
  }
  return {
    task,
    folder: absolute,
    digest: hash.digest('hex'),
    statements: { original: original.toString('utf8'), refined: refined?.toString('utf8') ?? null },
    goldenPatch,
    testPatch,
  }
}

/**
 * Task folders at or directly below `path`, sorted by name. Throws InputError when there is none.
 */
export async function findTaskFolders(path: string): Promise<readonly string[]> {
  const absolute = resolve(path)
  const holdsTask = async (folder: string): Promise<boolean> => {
    try {
      return (await stat(join(folder, 'task.json'))).isFile()
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }
  if (await holdsTask(absolute)) return [absolute]
  const found: string[] = []
  try {
    for (const entry of (await readdir(absolute, { withFileTypes: true })).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    ))
      if (entry.isDirectory() && (await holdsTask(join(absolute, entry.name))))
        found.push(join(absolute, entry.name))
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new InputError('there is no such folder', { place: absolute, cause })
  }
  if (found.length === 0)
    throw new InputError('holds no task.json, and no folder with one', { place: absolute, remedy: FORMAT })
  return found
}
