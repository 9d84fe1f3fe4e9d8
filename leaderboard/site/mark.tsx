import { verdictWords } from './words.ts'

/** A verdict's tile with its word. */
export function VerdictTag({ kind }: { readonly kind: string }) {
  const words = verdictWords(kind)
  return (
    <span class={`tag ${words.side}`}>
      <i class={`m ${words.mark}`} aria-hidden="true" />
      {words.label}
    </span>
  )
}
