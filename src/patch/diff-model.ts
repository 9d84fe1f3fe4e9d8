/** A diff as read. All text is bytes as latin1, so that every byte comes out as it went in. */

export interface BodyLine {
  readonly sign: ' ' | '+' | '-'
  /** Without its line feed; a carriage return stays. */
  readonly text: string
  /** `\ No newline at end of file` follows. */
  readonly noNewline: boolean
}

export interface StatedRange {
  readonly oldStart: number
  readonly oldCount: number
  readonly newStart: number
  readonly newCount: number
}

export interface Hunk {
  /** What stands between `@@` and `@@`; null when these are no numbers. */
  readonly stated: StatedRange | null
  readonly lines: readonly BodyLine[]
  /** Whether the stated counts did not fit the lines. */
  readonly recounted: boolean
  /** 1-based line of the header in the diff. */
  readonly line: number
}

export interface Section {
  /** Names as written, prefix included; null for /dev/null, undefined when not said. */
  readonly oldName: string | null | undefined
  readonly newName: string | null | undefined
  /** Of `rename from` or `copy from`: without a prefix. */
  readonly moved: { readonly how: 'rename' | 'copy'; readonly from: string; readonly to: string } | undefined
  readonly oldMode: string | undefined
  readonly newMode: string | undefined
  readonly newFileMode: string | undefined
  readonly deletedFile: boolean
  /** The `index a..b` line, which binary patches need. */
  readonly index: string | undefined
  readonly hunks: readonly Hunk[]
  /** `Binary files … differ`, without content. */
  readonly binaryStub: boolean
  /** The lines of a `GIT binary patch`, its first included. */
  readonly binary: readonly string[] | undefined
  /** 1-based line of its first header in the diff. */
  readonly line: number
}

export interface ParsedDiff {
  readonly sections: readonly Section[]
  /** Lines that are not blank and belong to no section: prose, signatures. */
  readonly otherLines: number
  /** Blank lines behind the last line that says something. */
  readonly blankEnd: number
  /** Blank context lines that had lost their space. */
  readonly bareBlankLines: number
  /** Header lines that ended in CRLF: the whole diff came with CRLF. */
  readonly crlfHeaders: boolean
}

export const oldLines = (hunk: { readonly lines: readonly BodyLine[] }): readonly BodyLine[] =>
  hunk.lines.filter((line) => line.sign !== '+')
