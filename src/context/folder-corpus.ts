import { createHash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError } from '../errors.ts'
import { byPath, type Corpus, type CorpusFile, type LeftOutEntry } from './corpus.ts'

/** Folders of tools, never of the project's own code. */
const NOT_ENTERED = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__'])

/** git's name of a blob with this content. */
const blobName = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')

interface Found {
  readonly files: CorpusFile[]
  readonly leftOut: LeftOutEntry[]
  /** Where each blob was read. */
  readonly places: Map<string, string>
}

const hasCode = (error: unknown): boolean => error instanceof Error && 'code' in error

/** What a file is kept as: larger ones are named by their size, so that they need not be read. */
async function nameFile(place: string, maxBytes: number): Promise<string> {
  const { size } = await lstat(place)
  return size > maxBytes ? blobName(Buffer.from(`${place} ${size}`)) : blobName(await readFile(place))
}

/** Follows no link, so that loops are not entered and nothing outside the folder is read. */
async function walk(root: string, folder: string, maxBytes: number, found: Found): Promise<void> {
  let entries: Dirent[]
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true })
  } catch (error) {
    if (!hasCode(error) || folder === '') throw error
    found.leftOut.push({ path: folder, reason: 'unreadable' })
    return
  }
  if (folder !== '' && entries.some(({ name }) => name === '.git')) {
    found.leftOut.push({ path: folder, reason: 'submodule' })
    return
  }
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink()) found.leftOut.push({ path, reason: 'symlink' })
    else if (entry.isDirectory()) {
      if (!NOT_ENTERED.has(entry.name)) await walk(root, path, maxBytes, found)
    } else if (entry.isFile())
      try {
        const place = join(root, path)
        const blob = await nameFile(place, maxBytes)
        found.files.push({ path, blob })
        found.places.set(blob, place)
      } catch (error) {
        if (!hasCode(error)) throw error
        found.leftOut.push({ path, reason: 'unreadable' })
      }
  }
}

/**
 * The files of a plain folder. Files are named as git would name them, so that an index of a commit serves here too.
 * `maxBytes`: larger files are listed but never read. Throws InputError when the folder cannot be read.
 */
export async function openFolderCorpus(folder: string, maxBytes: number): Promise<Corpus> {
  const found: Found = { files: [], leftOut: [], places: new Map() }
  try {
    await walk(folder, '', maxBytes, found)
  } catch (cause) {
    if (!hasCode(cause)) throw cause
    throw new InputError('the folder cannot be read', { place: folder, remedy: 'check the path', cause })
  }
  const files = found.files.sort(byPath)
  const hash = createHash('sha256')
  for (const { path, blob } of files) hash.update(`${blob} ${path}\0`)
  return {
    id: hash.digest('hex'),
    kind: 'folder',
    files,
    leftOut: found.leftOut.sort(byPath),
    async read(blobs, most, onBlob) {
      for (const blob of blobs) {
        const place = found.places.get(blob)
        if (place === undefined) continue
        const { size } = await lstat(place)
        const bytes = size > most ? undefined : await readFile(place)
        // A file that was changed since it was named is told as one that is not read.
        onBlob(blob, bytes && blobName(bytes) === blob ? bytes : undefined)
      }
    },
    async close() {},
  }
}
