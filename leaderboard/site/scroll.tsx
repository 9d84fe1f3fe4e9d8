import type { ComponentChildren } from 'preact'

interface ScrollProps {
  readonly label: string
  readonly children: ComponentChildren
}

/** What may be wider than a phone scrolls in itself, by keyboard too; the page never does. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus, or keys cannot scroll it.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to forms.
    <div class="scroll" tabIndex={0} role="group" aria-label={label}>
      {children}
    </div>
  )
}
