/** Fills the places in braces. Texts that are filled in may hold braces themselves: they are not read again. */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{([a-z]\w*)\}/gi, (place, name: string) => values[name] ?? place)
