/**
 * A glob as a regular expression over a whole path: `*` and `?` within a folder, `**` over folders, `[…]`. Patterns come
 * from the workflow, which no candidate writes.
 */
export function globPattern(glob: string): RegExp {
  let source = ''
  for (let index = 0; index < glob.length; index += 1) {
    const rest = glob.slice(index)
    const set = /^\[([^\]/]+)\]/.exec(rest)
    if (rest.startsWith('**/')) {
      source += '(?:[^/]+/)*'
      index += 2
    } else if (rest.startsWith('**')) {
      source += '.*'
      index += 1
    } else if (rest.startsWith('*')) source += '[^/]*'
    else if (rest.startsWith('?')) source += '[^/]'
    else if (set) {
      source += `[${(set[1] ?? '').replace(/^!/, '^').replaceAll('\\', '\\\\')}]`
      index += set[0].length - 1
    } else source += (glob[index] ?? '').replace(/[.+^${}()|[\]\\]/g, '\\$&')
  }
  return new RegExp(`^${source}$`)
}
