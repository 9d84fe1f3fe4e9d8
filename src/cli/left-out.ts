interface LeftOut {
  readonly language: string
  readonly packages: readonly string[]
}

/** `3 of 4 languages; for the fourth run: …`; empty when nothing was left out. */
export function renderLeftOut(leftOut: readonly LeftOut[], played: readonly string[]): string {
  if (leftOut.length === 0) return ''
  const missing = [...new Set(leftOut.map(({ language }) => language))]
  const total = new Set([...played, ...missing]).size
  const packages = [...new Set(leftOut.flatMap((one) => one.packages))]
  return `${total - missing.length} of ${total} languages; for ${missing.join(', ')} run: sudo apt-get install --no-install-recommends ${packages.join(' ')}\n`
}
