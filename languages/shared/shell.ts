/** A word of a simple command. `raw`: as written, with its quotes; `text`: without them, expansions left as they stand. */
export interface ShellWord {
  readonly raw: string
  readonly text: string
}

/** A simple command of a script. */
export interface ShellCommand {
  /** Without the keywords before it (`if`, `then`, `!`), redirections and assignments. */
  readonly words: readonly ShellWord[]
  /** `NAME=value` before the command. */
  readonly assignments: readonly ShellWord[]
  /** What stands between it and the command before: `;` for a new line too, empty for the first. */
  readonly operator: string
  /** Offsets into the script. */
  readonly start: number
  readonly end: number
  /** How many of if, loop, case, function, group or subshell it stands in. */
  readonly depth: number
}

interface Token {
  readonly kind: 'word' | 'operator'
  readonly raw: string
  readonly text: string
  readonly start: number
  readonly end: number
}

const OPERATOR = /&&|\|\||;;|\|&|[;&|()\n]/y
const KEYWORDS = ['if', 'then', 'elif', 'else', 'do', 'while', 'until', '!', 'time']
const OPENERS = ['if', 'while', 'until', 'for', 'select', 'case', '{']
const CLOSERS = ['fi', 'done', 'esac', '}']
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/
const REDIRECTION = /^(\d*(>>|>\||>&|<>|<<<|<<-?|>|<|<&)|&>>?)/

/**
 * The simple commands of a POSIX-like script, in order: quotes, comments, continued lines, here documents and `$( )` are
 * honoured; what stands inside `$( )` is no command of its own. Never throws: an open quote ends with the text.
 */
export function splitCommands(script: string): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  let depth = 0
  let operator = ''
  let pending: Token[] = []
  const close = (next: string): void => {
    const { command, opened, closed } = toCommand(pending, operator, depth)
    if (command) commands.push(command)
    depth = Math.max(0, depth + opened - closed)
    if (pending.length > 0 || next === '(') operator = next
    pending = []
  }
  for (const token of tokens(script)) {
    if (token.kind === 'word') {
      pending.push(token)
      continue
    }
    close(token.raw === '\n' ? ';' : token.raw)
    if (token.raw === '(') depth += 1
    if (token.raw === ')') depth = Math.max(0, depth - 1)
  }
  close(';')
  return commands
}

function toCommand(
  pending: readonly Token[],
  operator: string,
  depth: number,
): { readonly command: ShellCommand | undefined; readonly opened: number; readonly closed: number } {
  let opened = 0
  let closed = 0
  let at = 0
  for (; at < pending.length; at += 1) {
    const text = pending[at]?.raw ?? ''
    if (CLOSERS.includes(text)) closed += 1
    else if (OPENERS.includes(text)) opened += 1
    else if (!KEYWORDS.includes(text)) break
    if (text === 'for' || text === 'case' || text === 'select') return { command: undefined, opened, closed }
  }
  const rest = withoutRedirections(pending.slice(at))
  const firstWord = rest.findIndex((token) => !ASSIGNMENT.test(token.raw))
  const assignments = firstWord === -1 ? rest : rest.slice(0, firstWord)
  const words = firstWord === -1 ? [] : rest.slice(firstWord)
  const [first] = pending.slice(at)
  const last = pending.at(-1)
  if (!first || !last || rest.length === 0) return { command: undefined, opened, closed }
  const command = {
    words,
    assignments,
    operator,
    start: first.start,
    end: last.end,
    depth: Math.max(0, depth + opened - closed),
  }
  return { command, opened, closed }
}

function withoutRedirections(words: readonly Token[]): readonly Token[] {
  const kept: Token[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    const match = word && REDIRECTION.exec(word.raw)
    if (!word || !match) {
      if (word) kept.push(word)
    } else if (match[0].length === word.raw.length) at += 1
  }
  return kept
}

function* tokens(script: string): Generator<Token> {
  let at = 0
  const delimiters: string[] = []
  while (at < script.length) {
    const char = script[at] ?? ''
    if (char === ' ' || char === '\t' || char === '\r') at += 1
    else if (script.startsWith('\\\n', at)) at += 2
    else if (char === '#') at = endOfLine(script, at)
    else {
      OPERATOR.lastIndex = at
      const operator = script.startsWith('&>', at) ? undefined : OPERATOR.exec(script)?.[0]
      if (operator !== undefined) {
        yield { kind: 'operator', raw: operator, text: operator, start: at, end: at + operator.length }
        at += operator.length
        if (operator === '\n') at = skipHereDocuments(script, at, delimiters.splice(0))
      } else {
        const word = readWord(script, at)
        yield { kind: 'word', ...word, start: at }
        const here = /^\d*<<-?(?!<)(.*)$/s.exec(word.raw)
        if (here) delimiters.push(here[1] || readWord(script, skipBlanks(script, word.end)).raw)
        at = word.end
      }
    }
  }
}

const endOfLine = (script: string, at: number): number => {
  const end = script.indexOf('\n', at)
  return end === -1 ? script.length : end
}

const skipBlanks = (script: string, at: number): number =>
  at + (/^[ \t]*/.exec(script.slice(at))?.[0].length ?? 0)

function skipHereDocuments(script: string, from: number, delimiters: readonly string[]): number {
  let at = from
  for (const raw of delimiters) {
    const delimiter = raw.replaceAll(/['"\\]/g, '')
    while (at < script.length) {
      const end = endOfLine(script, at)
      const line = script.slice(at, end)
      at = Math.min(end + 1, script.length)
      if (line.replace(/^\t+/, '') === delimiter) break
    }
  }
  return at
}

/** Reads one word from `start`, which is no blank and no operator. */
function readWord(script: string, start: number): { raw: string; text: string; end: number } {
  let at = start
  let text = ''
  while (at < script.length) {
    const char = script[at] ?? ''
    if (/[ \t\r\n;|()]/.test(char)) break
    if (char === '&' && !/[<>]$/.test(script.slice(start, at)) && script[at + 1] !== '>') break
    if (script.startsWith('\\\n', at)) at += 2
    else if (char === '\\') {
      text += script[at + 1] ?? ''
      at += 2
    } else if (char === "'") {
      const end = indexOrEnd(script, "'", at + 1)
      text += script.slice(at + 1, end)
      at = end + 1
    } else if (char === '"') {
      const end = endOfDoubleQuotes(script, at)
      text += script.slice(at + 1, end).replaceAll(/\\([\\"$`\n])/g, '$1')
      at = end + 1
    } else if (script.startsWith('$(', at) || char === '`') {
      const end = char === '`' ? indexOrEnd(script, '`', at + 1) : endOfParentheses(script, at + 1)
      text += script.slice(at, end + 1)
      at = end + 1
    } else {
      text += char
      at += 1
    }
  }
  const end = Math.min(at, script.length)
  return { raw: script.slice(start, end), text, end }
}

function indexOrEnd(script: string, char: string, from: number): number {
  const found = script.indexOf(char, from)
  return found === -1 ? script.length : found
}

function endOfDoubleQuotes(script: string, open: number): number {
  let at = open + 1
  while (at < script.length && script[at] !== '"') {
    if (script[at] === '\\') at += 2
    else if (script.startsWith('$(', at)) at = endOfParentheses(script, at + 1) + 1
    else at += 1
  }
  return Math.min(at, script.length)
}

/** The closing parenthesis that belongs to the one at `open`. */
function endOfParentheses(script: string, open: number): number {
  let depth = 0
  for (let at = open; at < script.length; at += 1) {
    const char = script[at]
    if (char === '\\') at += 1
    else if (char === "'") at = indexOrEnd(script, "'", at + 1)
    else if (char === '"') at = endOfDoubleQuotes(script, at)
    else if (char === '(') depth += 1
    else if (char === ')') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return script.length
}
