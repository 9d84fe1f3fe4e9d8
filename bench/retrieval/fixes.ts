import { execFileSync } from 'node:child_process'

/** A fix that somebody made: its message is the question, the lines that it changed are the answer. */
export interface Fix {
  readonly repository: string
  readonly commit: string
  readonly parent: string
  readonly query: string
  /** Non-test source files that existed and were changed. */
  readonly files: readonly string[]
  /** Changed lines as they stood before; an insertion is the line that it comes after. */
  readonly hunks: readonly { readonly path: string; readonly start: number; readonly end: number }[]
}

export const gitText = (repository: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, maxBuffer: 1 << 30, encoding: 'utf8' })

const IS_FIX = /\b(fix(es|ed)?|bugs?|crash(es|ed)?|regressions?|panics?|incorrect(ly)?|wrong(ly)?|broken)\b/i

/** What tells the answer, or nothing: trailers, addresses, how it was tested, numbers of pull requests. */
export function cleanMessage(message: string): string {
  const kept: string[] = []
  for (const line of message.split('\n')) {
    if (
      /^\s*(test plan|tests?|testing|reviewed[ -]by|reviewers|differential revision|tasks?)\s*:/i.test(line)
    )
      break
    if (/^\s*[A-Z][\w-]*-(by|on|to|id)\s*:/i.test(line)) continue
    if (/^\s*(pull request resolved|resolves|closes|backport|bors|try-job|r\?|change-id)\b/i.test(line))
      continue
    kept.push(
      line
        .replace(/^\s*summary\s*:\s*/i, '')
        .replace(/https?:\/\/\S+/g, '')
        .replace(/\(?\b[\w-]*\/?[\w-]*#\d+\)?/g, ''),
    )
  }
  return kept.join('\n').trim()
}

/** Hunks of one commit, as their lines stood before it. */
function hunksOf(repository: string, parent: string, commit: string, files: readonly string[]): Fix['hunks'] {
  const diff = gitText(
    repository,
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-renames',
    '-U0',
    parent,
    commit,
    '--',
    ...files,
  )
  const hunks: { path: string; start: number; end: number }[] = []
  let path = ''
  for (const line of diff.split('\n')) {
    const named = /^--- a\/(.*)$/.exec(line)
    if (named) path = named[1] ?? ''
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line)
    if (!hunk) continue
    const start = Math.max(1, Number(hunk[1]))
    const count = hunk[2] === undefined ? 1 : Number(hunk[2])
    hunks.push({ path, start, end: start + Math.max(1, count) - 1 })
  }
  return hunks
}

/**
 * The newest fixes of a clone, `count` of them: no merges, a message of 80 characters or more, and one to five changed files
 * that `isSource` takes, none of them renamed.
 */
export function findFixes(repository: string, count: number, isSource: (path: string) => boolean): Fix[] {
  const fixes: Fix[] = []
  for (let skip = 0; fixes.length < count && skip < 60_000; skip += 2000) {
    const log = gitText(
      repository,
      ...['log', '--no-merges', '--no-renames', '--name-status', `--skip=${skip}`, '-n', '2000', '-z'],
      '--format=%x01%H%x02%P%x02%B%x03',
      'HEAD',
    )
    const entries = log.split('\x01').slice(1)
    if (entries.length === 0) break
    for (const entry of entries) {
      if (fixes.length === count) break
      const [head = '', names = ''] = entry.split('\x03')
      const [commit = '', parents = '', message = ''] = head.split('\x02')
      const parent = parents.split(' ')[0] ?? ''
      const query = cleanMessage(message)
      if (parent === '' || query.length < 80 || !IS_FIX.test(query)) continue
      const fields = names.split('\0').map((field) => field.trim())
      const changed: [string, string][] = []
      for (let at = 0; at + 1 < fields.length; at++)
        if (/^[AMDT]$/.test(fields[at] ?? '')) changed.push([fields[at] ?? '', fields[++at] ?? ''])
      const sources = changed.filter(([, path]) => isSource(path))
      const files = sources.filter(([status]) => status === 'M').map(([, path]) => path)
      if (files.length === 0 || sources.length > 5) continue
      fixes.push({
        repository,
        commit,
        parent,
        query,
        files,
        hunks: hunksOf(repository, parent, commit, files),
      })
    }
  }
  return fixes
}

/** Numbers from 0 to 1 that a seed gives (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Halves, drawn by a seed: what is tuned on is not reported. */
export function halves<T>(all: readonly T[], seed: number): { tune: T[]; report: T[] } {
  const random = randomOf(seed)
  const drawn = all.map((one) => ({ one, key: random() })).sort((a, b) => a.key - b.key)
  const middle = Math.floor(all.length / 2)
  return {
    tune: drawn.slice(0, middle).map(({ one }) => one),
    report: drawn.slice(middle).map(({ one }) => one),
  }
}
