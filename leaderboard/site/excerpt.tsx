import { grouped } from './format.ts'
import { cutText, visible } from './visible.ts'

interface ExcerptProps {
  readonly text: string
  /** What it is, for those who hear the page. */
  readonly label: string
  /** Where the whole of it is. */
  readonly whole: string
  readonly max?: number
}

const MAX_CHARACTERS = 12_000

/** Foreign text as it is written, its beginning where it is long. */
export function Excerpt({ text, label, whole, max = MAX_CHARACTERS }: ExcerptProps) {
  const cut = cutText(text, max)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so keys must reach it. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to forms. */}
      <pre class="excerpt" tabIndex={0} role="group" aria-label={label}>
        {visible(cut.text)}
      </pre>
      {cut.left > 0 && (
        <p class="note">
          {grouped(cut.left)} more characters are <a href={whole}>in the data of this round</a>.
        </p>
      )}
    </>
  )
}
