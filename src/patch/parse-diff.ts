import type { Hunk, ParsedDiff, Section } from './diff-model.ts'
import { isHunkHeader, parseHunk } from './parse-hunk.ts'
import { LONGEST, readQuoted } from './quoted-path.ts'

const cut = (line: string): string => line.replace(/\r$/, '')

/** The name in a `--- ` or `+++ ` line: quoted, or up to a tab. */
function readName(text: string): string | null {
  const name = readQuoted(text)?.value ?? text.split('\t')[0]?.trimEnd() ?? ''
  return name === '/dev/null' ? null : name
}

const withoutPrefix = (name: string): string => name.slice(name.indexOf('/') + 1)

/** Both names of a `diff --git` line. Unquoted names with spaces can be told apart only when they are equal. */
function readGitNames(text: string): readonly [string, string] | undefined {
  if (text.length > LONGEST) return undefined
  const first = readQuoted(text)
  if (first) {
    const rest = first.rest.trimStart()
    return [first.value, readQuoted(rest)?.value ?? rest]
  }
  const quotedSecond = /^(\S+) (".*)$/.exec(text)
  if (quotedSecond?.[1] && quotedSecond[2])
    return [quotedSecond[1], readQuoted(quotedSecond[2])?.value ?? quotedSecond[2]]
  const spaces = [...text.matchAll(/ /g)].map((match) => match.index)
  const splits = spaces.map((at): readonly [string, string] => [text.slice(0, at), text.slice(at + 1)])
  const only = splits.length === 1 ? splits[0] : undefined
  return only ?? splits.find(([a, b]) => withoutPrefix(a) === withoutPrefix(b))
}

type Draft = { -readonly [K in keyof Section]: Section[K] } & { hunks: Hunk[] }

const draftAt = (line: number): Draft => ({
  oldName: undefined,
  newName: undefined,
  moved: undefined,
  oldMode: undefined,
  newMode: undefined,
  newFileMode: undefined,
  deletedFile: false,
  index: undefined,
  hunks: [],
  binaryStub: false,
  binary: undefined,
  line,
})

const unquoted = (text: string): string => readQuoted(text)?.value ?? text

/** Takes one extended header line of git into the draft; false when it is none. */
function takeExtended(draft: Draft, line: string): boolean {
  const match =
    /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|index|similarity index|dissimilarity index) (.*)$/.exec(
      line,
    )
  if (!match?.[1] || match[2] === undefined) return false
  const [, key, value] = match
  if (key === 'old mode') draft.oldMode = value
  else if (key === 'new mode') draft.newMode = value
  else if (key === 'new file mode') draft.newFileMode = value
  else if (key === 'deleted file mode') draft.deletedFile = true
  else if (key === 'index') draft.index = line
  else if (key === 'rename from' || key === 'copy from') {
    const how = key === 'rename from' ? 'rename' : 'copy'
    draft.moved = { how, from: unquoted(value), to: draft.moved?.to ?? '' }
  } else if (key === 'rename to' || key === 'copy to') {
    const how = key === 'rename to' ? 'rename' : 'copy'
    draft.moved = { how, from: draft.moved?.from ?? '', to: unquoted(value) }
  }
  return true
}

/** The lines of a `GIT binary patch` that starts at `at`: two blocks, each ended by a blank line. */
function takeBinary(lines: readonly string[], at: number): { taken: string[]; next: number } {
  let next = at + 1
  const isData = (line: string): boolean => /^[A-Za-z][0-9A-Za-z!#$%&()*+;<=>?@^_`{|}~-]+$/.test(line)
  for (let block = 0; block < 2; block++) {
    if (!/^(literal|delta) \d+$/.test(cut(lines[next] ?? ''))) break
    next++
    while (isData(cut(lines[next] ?? ''))) next++
    if (cut(lines[next] ?? '') === '' && next < lines.length) next++
  }
  return { taken: lines.slice(at, next).map(cut), next }
}

/** Reads one unified diff, with or without git's own headers, tolerant of prose around it. Never throws. */
export function parseDiff(diff: string): ParsedDiff {
  const lines = diff.split('\n')
  const sections: Draft[] = []
  let otherLines = 0
  let bareBlankLines = 0
  let blanks = 0
  let headers = 0
  let crlfHeaders = 0
  let at = 0
  const header = (line: string): string => {
    headers++
    if (line.endsWith('\r')) crlfHeaders++
    return cut(line)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const draft = sections.at(-1)
    const next = lines[at + 1]
    if (line.startsWith('diff --git ')) {
      const started = draftAt(at + 1)
      const names = readGitNames(header(line).slice('diff --git '.length))
      started.oldName = names?.[0]
      started.newName = names?.[1]
      sections.push(started)
      at++
    } else if (line.startsWith('--- ') && next?.startsWith('+++ ')) {
      // The two lines belong to a `diff --git` above them, or start a file by themselves.
      const continues =
        draft && draft.hunks.length === 0 && !draft.binary && lines[draft.line - 1]?.startsWith('diff --git ')
      const target = continues ? draft : draftAt(at + 1)
      if (!continues) sections.push(target)
      target.oldName = readName(header(line).slice(4))
      target.newName = readName(header(next).slice(4))
      at += 2
    } else if (draft && isHunkHeader(line)) {
      header(line)
      const parsed = parseHunk(lines, at)
      draft.hunks.push(parsed.hunk)
      bareBlankLines += parsed.bareBlanks
      at = parsed.next
    } else if (draft && cut(line) === 'GIT binary patch') {
      const { taken, next: after } = takeBinary(lines, at)
      draft.binary = taken
      at = after
    } else if (/^Binary files .* differ\r?$/.test(line)) {
      // Below a `diff --git` it is that file's; `diff -r` writes it alone.
      const alone = draft === undefined || draft.hunks.length > 0 || draft.binaryStub
      const target = alone ? draftAt(at + 1) : draft
      if (alone) sections.push(target)
      const names = /^Binary files (.*) and (.*) differ/.exec(line)
      target.oldName ??= readName(names?.[1] ?? '')
      target.newName ??= readName(names?.[2] ?? '')
      target.binaryStub = true
      at++
    } else if (draft && draft.hunks.length === 0 && takeExtended(draft, cut(line))) {
      at++
    } else {
      const isBlank = line.trim() === ''
      if (!isBlank) otherLines++
      // Behind the last line feed stands an empty rest, which is no line.
      if (isBlank && at < lines.length - 1) blanks++
      at++
      if (isBlank) continue
    }
    blanks = 0
  }
  return {
    sections,
    otherLines,
    blankEnd: blanks,
    bareBlankLines,
    crlfHeaders: headers > 0 && crlfHeaders === headers,
  }
}
