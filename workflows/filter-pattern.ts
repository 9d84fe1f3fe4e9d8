/**
 * GitHub's pattern of `branches`, `tags` and `paths` as a regular expression over the whole name: `*` within a folder, `**`
 * over folders, `?` and `+` after a character as in a regular expression, `[…]`, `\` before a character taken as it is.
 */
function filterPattern(glob: string): RegExp {
  let source = ''
  for (let index = 0; index < glob.length; index += 1) {
    const rest = glob.slice(index)
    const set = /^\[[\w-]+\]/.exec(rest)?.[0]
    if (rest.startsWith('**/')) {
      source += '(?:.*/)?'
      index += 2
    } else if (rest.startsWith('**')) {
      source += '.*'
      index += 1
    } else if (rest.startsWith('*')) source += '[^/]*'
    else if (/^[?+]/.test(rest) && source !== '') source += rest[0]
    else if (set) {
      source += set
      index += set.length - 1
    } else {
      if (rest.startsWith('\\') && rest.length > 1) index += 1
      source += (glob[index] ?? '').replace(/[.+?^${}()|[\]\\*/]/g, '\\$&')
    }
  }
  return new RegExp(`^${source}$`)
}

/** Whether a list of patterns takes the name: the last one that fits decides, and `!` before it takes the name out again. */
export const takes = (patterns: readonly string[], name: string): boolean =>
  patterns.reduce((taken, pattern) => {
    const negated = pattern.startsWith('!')
    return filterPattern(negated ? pattern.slice(1) : pattern).test(name) ? !negated : taken
  }, false)
