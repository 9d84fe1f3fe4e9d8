import { signOf, spaced, toneOf } from './words.ts'

/** How something ended: a sign, a word and a colour, in this order of weight. */
export function Outcome({ of, brief = false }: { readonly of: string; readonly brief?: boolean }) {
  const tone = toneOf(of)
  return (
    <span class={`out ${tone}`} {...(brief ? { title: spaced(of) } : {})}>
      <span aria-hidden="true">{signOf[tone]}</span>
      <span class={brief ? 'hidden' : undefined}> {spaced(of)}</span>
    </span>
  )
}
