import type { ToolVersions } from './action.ts'

export type VersionAnswer =
  | { readonly kind: 'at-hand'; readonly version: string; readonly note: string }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * Whether the tool at hand is what was asked for. `label` and `asked` go into the words: `python 3.9 not found; 3.11.2 is at hand`.
 * `range`: what that means as a range, where it differs (`stable` is `*`: there is no list of releases offline).
 * With `substitute` another version is taken and the note says so; a tool that is not there at all is never substituted.
 */
export function askVersion(
  tools: ToolVersions,
  tool: string,
  label: string,
  asked: string,
  substitute: boolean,
  range = asked,
): VersionAnswer {
  const found = tools[tool]
  if (!found) return { kind: 'missing', reason: `${label} ${asked} not found; no ${label} is at hand` }
  if (satisfies(found.version, range)) {
    return { kind: 'at-hand', version: found.version, note: `${label} ${found.version} is at hand` }
  }
  const words = `${label} ${asked} not found; ${found.version} is at hand`
  if (!substitute) return { kind: 'missing', reason: words }
  return { kind: 'at-hand', version: found.version, note: `substituted: ${words}` }
}

/** Whether a version fits a semver range as the setup actions read it: `3`, `3.x`, `3.11`, `^1.2`, `~1.2`, `>=3.9 <3.13`, `a || b`. */
export function satisfies(version: string, range: string): boolean {
  const have = numbersOf(version)
  if (!have) return false
  return range.split('||').some((alternative) => fitsAll(have, alternative.trim()))
}

function fitsAll(have: readonly number[], range: string): boolean {
  if (/^(|\*|x|latest)$/i.test(range)) return true
  const span = /^(\S+)\s+-\s+(\S+)$/.exec(range)
  if (span) return fits(have, '>=', span[1] ?? '') && fits(have, '<=', span[2] ?? '')
  // Blanks between an operator and its version are allowed.
  const parts = range.replace(/([<>=~^]+)\s+/g, '$1').split(/[\s,]+/)
  return parts.every((part) => {
    const match = /^(>=|<=|>|<|={1,2}|~=?|\^)?v?(.+)$/.exec(part)
    return match !== null && fits(have, match[1] ?? '=', match[2] ?? '')
  })
}

function fits(have: readonly number[], operator: string, text: string): boolean {
  const wanted = numbersOf(text)
  if (!wanted) return false
  const order = compareTo(have, wanted)
  switch (operator) {
    case '>=':
      return order >= 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '<':
      return order < 0
    case '^':
      return padded(have) >= padded(wanted) && compareTo(have, caretPrefix(wanted)) === 0
    case '~':
    case '~=':
      return padded(have) >= padded(wanted) && compareTo(have, wanted.slice(0, 2)) === 0
    default:
      return order === 0
  }
}

/** Order of `have` against the parts that are given: 3.11.2 equals 3.11. */
function compareTo(have: readonly number[], wanted: readonly number[]): number {
  for (const [index, part] of wanted.entries()) {
    const difference = (have[index] ?? 0) - part
    if (difference !== 0) return difference
  }
  return 0
}

const padded = (parts: readonly number[]): string =>
  [0, 1, 2].map((index) => String(parts[index] ?? 0).padStart(9, '0')).join('.')

function caretPrefix(parts: readonly number[]): readonly number[] {
  const firstSet = parts.findIndex((part) => part !== 0)
  return parts.slice(0, firstSet < 0 ? parts.length : firstSet + 1)
}

/** The leading numbers of a version; `x` and `*` end them. Undefined for what is no version (`pypy3.9`, `nightly`, `3.14-dev`). */
function numbersOf(text: string): readonly number[] | undefined {
  const match = /^v?(\d+)(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?$/.exec(text.trim())
  if (!match) return undefined
  const parts = match.slice(1).filter((part) => part !== undefined)
  const wild = parts.findIndex((part) => /[xX*]/.test(part))
  return (wild < 0 ? parts : parts.slice(0, wild)).map(Number)
}
