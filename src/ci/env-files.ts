/** What a step wrote into GITHUB_ENV, GITHUB_OUTPUT or GITHUB_STATE; or why GitHub would refuse the file. */
export type EnvFile =
  | { readonly kind: 'read'; readonly entries: readonly (readonly [string, string])[] }
  | { readonly kind: 'invalid'; readonly reason: string }

/** Reads `NAME=value` lines and `NAME<<DELIMITER` blocks. */
export function parseEnvFile(text: string): EnvFile {
  const lines = text.split(/\r?\n/)
  const entries: [string, string][] = []
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? ''
    if (line === '') continue
    const equals = line.indexOf('=')
    const heredoc = line.indexOf('<<')
    if (heredoc >= 0 && (equals < 0 || heredoc < equals)) {
      const delimiter = line.slice(heredoc + 2)
      const end = lines.indexOf(delimiter, index + 1)
      if (heredoc === 0 || delimiter === '') return invalid(`invalid format '${line}'`)
      if (end < 0) return invalid(`matching delimiter not found '${delimiter}'`)
      entries.push([line.slice(0, heredoc), lines.slice(index + 1, end).join('\n')])
      index = end
    } else if (equals > 0) {
      entries.push([line.slice(0, equals), line.slice(equals + 1)])
    } else {
      return invalid(`invalid format '${line.slice(0, 200)}'`)
    }
  }
  return { kind: 'read', entries }
}

/** The folders in GITHUB_PATH, the one written last first, as they stand on PATH. */
export function parsePathFile(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .reverse()
}

/** GitHub lets no step overwrite its own variables, nor NODE_OPTIONS. */
export const isProtectedName = (name: string): boolean => /^(GITHUB_|RUNNER_|NODE_OPTIONS$)/i.test(name)

const invalid = (reason: string): EnvFile => ({ kind: 'invalid', reason })
