import type { PatchNote, RepoView } from '../schema/tree.ts'
import type { BaseTree } from './base-tree.ts'
import type { ParsedDiff, Section } from './diff-model.ts'
import { applyPlaced, formatHunks, joinHunks } from './join-hunks.ts'
import { PATCH_LIMITS } from './limits.ts'
import { parseDiff } from './parse-diff.ts'
import { type PlacedHunk, placeHunks } from './place-hunks.ts'
import { quotePath } from './quoted-path.ts'
import { resolveSection, showPath, type Target } from './resolve-section.ts'

export type Prepared =
  /** A diff in git's own form, bytes as latin1; empty when nothing is left. */
  | { readonly kind: 'prepared'; readonly diff: string; readonly notes: PatchNote[] }
  | { readonly kind: 'malformed' | 'does-not-apply'; readonly detail: string; readonly notes: PatchNote[] }

/** The files as they stand after the sections read so far; null for a file that is gone, undefined content when unknown. */
type Current = Map<string, { readonly text: string | undefined } | null>

interface World {
  readonly base: RepoView
  readonly tree: BaseTree
  readonly current: Current
  readonly notes: PatchNote[]
}

const normalised = (path: string, reason: string): PatchNote => ({ action: 'normalised', path, reason })

const baseText = (world: World, path: string): string | undefined =>
  world.base.read(showPath(path))?.toString('latin1')

function currentText(world: World, path: string): string | undefined {
  const known = world.current.get(path)
  if (known === null) return undefined
  return known === undefined ? baseText(world, path) : known.text
}

const exists = (world: World, path: string): boolean => {
  const known = world.current.get(path)
  return known === undefined ? world.tree.has(path) : known !== null
}

/** A mode as git stores it; undefined when it is neither a file nor a symlink. */
function plainMode(mode: string): string | undefined {
  const bits = Number.parseInt(mode, 8)
  if ((bits & 0o170000) === 0o100000) return (bits & 0o100) === 0 ? '100644' : '100755'
  return mode === '120000' ? mode : undefined
}

const headerOf = (target: Target): string =>
  `diff --git ${quotePath(`a/${target.from}`)} ${quotePath(`b/${target.to}`)}\n`

function modeLines(section: Section, target: Target, tree: BaseTree): string | undefined {
  const own = tree.get(target.from)?.mode
  if (target.action === 'create') {
    const mode = plainMode(section.newFileMode ?? '100644')
    return mode && `new file mode ${mode}\n`
  }
  if (target.action === 'delete') return `deleted file mode ${own ?? '100644'}\n`
  const asked = section.newMode === undefined ? own : plainMode(section.newMode)
  if (section.newMode !== undefined && asked === undefined) return undefined
  const change = asked === own || own === undefined ? '' : `old mode ${own}\nnew mode ${asked}\n`
  const moved =
    target.action === 'modify'
      ? ''
      : `${target.action} from ${quotePath(target.from)}\n${target.action} to ${quotePath(target.to)}\n`
  return change + moved
}

const fileLines = (target: Target): string => {
  const from = target.action === 'create' ? '/dev/null' : quotePath(`a/${target.from}`)
  const to = target.action === 'delete' ? '/dev/null' : quotePath(`b/${target.to}`)
  return `--- ${from}\n+++ ${to}\n`
}

function record(world: World, target: Target, text: string | undefined): void {
  const { current } = world
  if (target.action === 'delete') current.set(target.from, null)
  else current.set(target.to, { text })
  // In an exchange of two names the first one was written before its own rename is read.
  if (target.action === 'rename' && current.get(target.from) === undefined) current.set(target.from, null)
}

/** Bytes that a binary patch says it unpacks to. */
const binaryBytes = (lines: readonly string[]): number =>
  lines.reduce((most, line) => Math.max(most, Number(/^(?:literal|delta) (\d+)$/.exec(line)?.[1] ?? 0)), 0)

/** Hunks of one file, placed; a string is the reason why they do not fit. */
function placeSection(
  world: World,
  section: Section,
  target: Target,
  crlf: boolean,
): readonly PlacedHunk[] | string {
  const label = showPath(target.to)
  const created = target.action === 'create'
  const moved = target.action === 'rename' || target.action === 'copy'
  const text = created ? '' : moved ? baseText(world, target.from) : currentText(world, target.from)
  if (text === undefined) return `there is no text file ${showPath(target.from)} at the base commit`
  const changing = section.hunks.filter((hunk) => hunk.lines.some((line) => line.sign !== ' '))
  // A diff that was sent with CRLF everywhere says nothing about the line ends of a new file.
  const hunks =
    created && crlf
      ? changing.map((hunk) => ({
          ...hunk,
          lines: hunk.lines.map((line) => ({ ...line, text: line.text.replace(/\r$/, '') })),
        }))
      : changing
  if (created && crlf)
    world.notes.push(normalised(label, 'the diff has CRLF everywhere; the new file got LF'))
  for (const hunk of hunks)
    if (hunk.recounted)
      world.notes.push(
        normalised(
          label,
          hunk.stated === null
            ? `hunk at line ${hunk.line} of the diff says no line numbers; they were found by its lines`
            : `hunk at line ${hunk.line} of the diff was recounted: its counts did not fit its lines`,
        ),
      )
  const placement = placeHunks(text, hunks)
  if (placement.kind === 'unplaced') return placement.detail
  for (const remark of placement.remarks) world.notes.push(normalised(label, remark))
  const joined = joinHunks(text, placement.hunks)
  if (joined.kind === 'overlap') return joined.detail
  if (joined.completed)
    world.notes.push(normalised(label, 'hunks were put in order, and context was completed from the file'))
  record(world, target, applyPlaced(text, joined.hunks))
  return joined.hunks
}

/** One section in git's form, `''` when it is left out; a string in `fault` ends everything. */
function prepareSection(
  world: World,
  section: Section,
  crlf: boolean,
): string | { readonly kind: 'malformed' | 'does-not-apply'; readonly fault: string } {
  const resolved = resolveSection(section, (path) => exists(world, path))
  const at = `line ${section.line} of the diff`
  if (resolved.kind === 'malformed') return { kind: 'malformed', fault: `${at}: ${resolved.reason}` }
  if (resolved.kind === 'refused') {
    world.notes.push({ action: 'refused', path: resolved.path, reason: resolved.reason })
    return { kind: 'malformed', fault: `${resolved.path}: ${resolved.reason}` }
  }
  const { target } = resolved
  const label = showPath(target.to)
  if (target.remark !== undefined) world.notes.push(normalised(label, target.remark))
  const modes = modeLines(section, target, world.tree)
  if (modes === undefined)
    return { kind: 'malformed', fault: `${label}: a mode that is neither a file's nor a symlink's` }
  if (section.binary) {
    if (binaryBytes(section.binary) > PATCH_LIMITS.binaryBytes)
      return {
        kind: 'malformed',
        fault: `${label}: the binary patch unpacks to more than ${PATCH_LIMITS.binaryBytes} bytes`,
      }
    if (section.index === undefined)
      return { kind: 'malformed', fault: `${label}: a binary patch without its index line` }
    record(world, target, undefined)
    return `${headerOf(target)}${modes}${section.index.trimEnd()}\n${section.binary.join('\n')}\n`
  }
  if (section.binaryStub && section.hunks.length === 0) {
    world.notes.push({
      action: 'stripped',
      path: label,
      reason: 'a binary file without its content (make the diff with --binary)',
    })
    return ''
  }
  const hunks = section.hunks.length === 0 ? [] : placeSection(world, section, target, crlf)
  if (typeof hunks === 'string') return { kind: 'does-not-apply', fault: `${label}: ${hunks}` }
  if (hunks.length === 0) {
    if (target.action === 'modify' && modes === '') {
      world.notes.push(normalised(label, 'changes nothing'))
      return ''
    }
    const moved = target.action === 'rename' || target.action === 'copy'
    record(world, target, moved ? baseText(world, target.from) : currentText(world, target.from))
    return headerOf(target) + modes
  }
  return `${headerOf(target)}${modes}${fileLines(target)}${formatHunks(hunks)}`
}

/** Sections of all diffs; where two diffs name the same file, those of the later one. */
function joinDiffs(parsed: readonly ParsedDiff[], notes: PatchNote[]): { section: Section; crlf: boolean }[] {
  const nameOf = (section: Section): string => {
    const name = section.moved?.to ?? section.newName ?? section.oldName ?? ''
    return tidyName(name)
  }
  const lastOf = new Map<string, number>()
  parsed.forEach((diff, index) => {
    for (const section of diff.sections) lastOf.set(nameOf(section), index)
  })
  return parsed.flatMap((diff, index) =>
    diff.sections.flatMap((section) => {
      if (lastOf.get(nameOf(section)) === index) return [{ section, crlf: diff.crlfHeaders }]
      notes.push(normalised(showPath(nameOf(section)), 'replaced by a later diff of the same answer'))
      return []
    }),
  )
}

const tidyName = (name: string): string => name.replace(/^[abciwo]\//, '').replace(/^(\.\/)+/, '')

/**
 * Reads diffs and brings them into git's own form, exactly: hunks are counted again, placed where their old lines stand
 * byte for byte, and given the line ends of their file. Everything that is done is noted; nothing is guessed.
 */
export function prepareDiffs(diffs: readonly Buffer[], base: RepoView, tree: BaseTree): Prepared {
  const notes: PatchNote[] = []
  const parsed = diffs.map((diff) => parseDiff(diff.toString('latin1')))
  const sections = joinDiffs(parsed, notes)
  const sum = (pick: (diff: ParsedDiff) => number): number =>
    parsed.reduce((total, diff) => total + pick(diff), 0)
  if (sections.length === 0)
    return { kind: 'malformed', detail: 'no file header (--- and +++) with hunks was found', notes }
  const hunks = sections.reduce((total, { section }) => total + section.hunks.length, 0)
  if (sections.length > PATCH_LIMITS.files || hunks > PATCH_LIMITS.hunks)
    return {
      kind: 'malformed',
      detail: `more than ${PATCH_LIMITS.files} files or ${PATCH_LIMITS.hunks} hunks`,
      notes,
    }
  const bareBlankLines = sum((diff) => diff.bareBlankLines)
  if (bareBlankLines > 0)
    notes.push(normalised('', `${bareBlankLines} blank context lines got their space back`))
  const otherLines = sum((diff) => diff.otherLines)
  if (otherLines > 0)
    notes.push(normalised('', `${otherLines} lines that are no part of a diff were left out`))
  const unended = diffs.filter((diff) => diff.length > 0 && diff.at(-1) !== 0x0a).length
  if (unended > 0) notes.push(normalised('', 'the line feed at the end of the diff was added'))
  const blankEnd = sum((diff) => diff.blankEnd)
  if (blankEnd > 0) notes.push(normalised('', `${blankEnd} blank lines at the end of the diff were left out`))
  const world: World = { base, tree, current: new Map(), notes }
  const texts: string[] = []
  for (const { section, crlf } of sections) {
    const text = prepareSection(world, section, crlf)
    if (typeof text !== 'string') return { kind: text.kind, detail: text.fault, notes }
    texts.push(text)
  }
  return { kind: 'prepared', diff: texts.join(''), notes }
}
