import { InputError } from '../errors.ts'
import { openBlobStream } from './blob-stream.ts'
import { byPath, type Corpus, type CorpusFile, type LeftOutEntry } from './corpus.ts'
import { readGit } from './spawn-git.ts'

const REGULAR = /^100/

/** Bytes that are UTF-8, as text; undefined for a name that cannot be told in text. */
function nameOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return text.includes('�') && !Buffer.from(text, 'utf8').equals(bytes) ? undefined : text
}

/** `ls-tree -r -z`: `MODE SP TYPE SP NAME TAB path NUL`. */
function readListing(listing: Buffer): { files: CorpusFile[]; leftOut: LeftOutEntry[] } {
  const files: CorpusFile[] = []
  const leftOut: LeftOutEntry[] = []
  for (let at = 0; at < listing.length; ) {
    const end = listing.indexOf(0, at)
    const tab = listing.indexOf(9, at)
    const [mode = '', type, blob = ''] = listing.toString('latin1', at, tab).split(' ')
    const path = nameOf(listing.subarray(tab + 1, end))
    at = end + 1
    if (path === undefined)
      leftOut.push({ path: listing.toString('latin1', tab + 1, end), reason: 'odd-name' })
    else if (type === 'commit') leftOut.push({ path, reason: 'submodule' })
    else if (mode === '120000') leftOut.push({ path, reason: 'symlink' })
    else if (type === 'blob' && REGULAR.test(mode)) files.push({ path, blob })
  }
  return { files: files.sort(byPath), leftOut }
}

/**
 * The tree of one commit in a git object store. Nothing but that tree is asked for: what came later cannot be seen.
 * `commit`: a full name of a commit or a tree. Throws InputError when the repository does not hold it.
 */
export async function openGitCorpus(repository: string, commit: string): Promise<Corpus> {
  if (!/^[0-9a-f]{40}([0-9a-f]{24})?$/.test(commit))
    throw new InputError(`${commit} is no full name of a commit`, { place: repository })
  const listing = await readGit(repository, ['ls-tree', '-r', '-z', '--full-tree', commit])
  const stream = openBlobStream(repository)
  return {
    id: commit,
    kind: 'commit',
    ...readListing(listing),
    read: stream.read,
    close: stream.close,
  }
}
