import { baseName } from './paths.ts'

const SLASHES = /\.(c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|tpp|go|rs|js|mjs|ts|java|proto)$/
const HASHES = /\.(py|pyi|pyx|toml|cfg|ini|yml|yaml|sh|bash|cmake|mk)$/
const HASH_NAMES = ['CMakeLists.txt', 'Makefile', 'GNUmakefile', 'Dockerfile', '.gitignore']

function marker(path: string): string | undefined {
  const name = baseName(path)
  if (SLASHES.test(name) || name === 'go.mod' || name === 'go.work') return '//'
  if (HASHES.test(name) || HASH_NAMES.includes(name)) return '#'
  return undefined
}

/**
 * The file with a comment line at its end, in its own line ends: it cannot move a line, a shebang or a build constraint.
 * Undefined for a kind of file that has no line comments, and where the last line goes on (a trailing backslash).
 */
export function withCommentAtEnd(path: string, text: string, comment: string): string | undefined {
  const mark = marker(path)
  if (mark === undefined || text.includes('\0') || /\\\s*$/.test(text)) return undefined
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  // A blank line between: formatters want it there, and a lint leg would call the comment a fault.
  const gap = text === '' ? '' : text.endsWith('\n') ? end : `${end}${end}`
  return `${text}${gap}${mark} ${comment}${end}`
}
