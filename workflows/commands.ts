/** The simple commands of a shell script, as words, with what goes before a command left out: `sudo`, `env`, `time`, assignments. */
export function commandsOf(script: string): readonly (readonly string[])[] {
  return separate(withoutHereDocuments(script.replace(/\\\r?\n/g, ' ')))
    .map((text) => stripLead(wordsOf(text)))
    .filter((words) => words.length > 0)
}

/** Text of here-documents is input of a command, not a command. */
function withoutHereDocuments(script: string): string {
  const kept: string[] = []
  let until: string | null = null
  for (const line of script.split('\n')) {
    if (until !== null) {
      if (line.trim() === until) until = null
      continue
    }
    until = /(?<!<)<<-?\s*["']?([A-Za-z_]\w*)["']?/.exec(line)?.[1] ?? null
    kept.push(line)
  }
  return kept.join('\n')
}

/** Splits at `;`, `&`, `|`, parentheses and line ends outside of quotes; comments and `$(…)` of arguments are left out. */
function separate(script: string): string[] {
  const parts: string[] = []
  let part = ''
  let quote: string | null = null
  for (let index = 0; index < script.length; index += 1) {
    const letter = script[index] ?? ''
    if (quote !== null) {
      if (letter === quote) quote = null
      part += letter
    } else if (letter === '\\') {
      part += letter + (script[index + 1] ?? '')
      index += 1
    } else if (letter === "'" || letter === '"') {
      quote = letter
      part += letter
    } else if (letter === '#' && /(^|\s)$/.test(part)) {
      const end = script.indexOf('\n', index)
      index = end < 0 ? script.length : end - 1
    } else if (letter === '>' || letter === '<') {
      // `2>&1` and `>&2` join no commands.
      part += letter
      if (script[index + 1] === '&') {
        part += '&'
        index += 1
      }
    } else if (script.startsWith('${', index)) {
      const end = script.indexOf('}', index)
      part += script.slice(index, end < 0 ? script.length : end + 1)
      index = end < 0 ? script.length : end
    } else if (/[;&|()\n`]/.test(letter)) {
      parts.push(part)
      part = ''
    } else part += letter
  }
  return [...parts, part]
}

const wordsOf = (text: string): string[] =>
  [...text.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g)]
    .map((match) => match[0].replace(/^["']|["']$/g, '').replace(/\\(.)/g, '$1'))
    .filter((word) => word !== '')

const KEYWORDS = new Set([
  'if',
  'then',
  'else',
  'elif',
  'fi',
  'do',
  'done',
  'while',
  'until',
  '!',
  '{',
  '}',
  'exec',
])
const LEADERS = new Set([
  'sudo',
  'env',
  'time',
  'nice',
  'xvfb-run',
  'command',
  'nohup',
  'timeout',
  'retry',
  'xargs',
])

function stripLead(words: readonly string[]): readonly string[] {
  let rest = words
  for (;;) {
    const [first = ''] = rest
    if (KEYWORDS.has(first) || /^[A-Za-z_]\w*=/.test(first)) rest = rest.slice(1)
    else if (LEADERS.has(first)) {
      rest = rest.slice(1)
      while (/^-|^\d+[smh]?$|^[A-Za-z_]\w*=/.test(rest[0] ?? '')) rest = rest.slice(1)
    } else return rest
  }
}
