/**
 * Text of models and repositories, made harmless for the eye: what would reorder, hide or overwrite other text shows as
 * its code point. Markup is no concern here: the renderer escapes it.
 */

/**
 * Controls but tab and line feed, formats (directions, zero widths, tags), lone surrogates, private use, line separators;
 * then letters and marks with nothing to see. U+FE0F only asks for an emoji and may stay.
 */
const HIDDEN =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|[\u{e0000}-\u{e0fff}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|\u3164|[\ufe00-\ufe0e]|\uffa0/gu

/** U+2400 is the picture of U+0000, and so on; other characters have no picture. */
function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** Windows line ends are ends of lines; everything else that hides is shown. */
export const visible = (text: string): string => text.replaceAll('\r\n', '\n').replace(HIDDEN, pictureOf)

export interface CutText {
  readonly text: string
  /** Characters that are not shown. */
  readonly left: number
}

/** The beginning of a text, at most `max` UTF-16 units, never half a character. */
export function cutText(text: string, max: number): CutText {
  if (text.length <= max) return { text, left: 0 }
  const end = /[\ud800-\udbff]/.test(text[max - 1] ?? '') ? max - 1 : max
  return { text: text.slice(0, end), left: text.length - end }
}

/** One line for a title or a cell: visible, without line ends, cut with an ellipsis. */
export function oneLine(text: string, max = 200): string {
  const cut = cutText(text, max)
  return `${visible(cut.text).replace(/\s+/g, ' ').trim()}${cut.left > 0 ? '…' : ''}`
}
