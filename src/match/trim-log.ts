const LAST_LINES = 60
const LAST_CHARACTERS = 4000

/** What a terminal is told: colours, titles, cursor. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are taken out
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g

/** What differs between two runs of the same code; the same asking must be the same bytes when it is played again. */
const FLEETING: readonly (readonly [RegExp, string])[] = [
  [/\b\d+(?:\.\d+)?( ?)(?:ns|µs|us|ms|s|secs?|seconds?|minutes?)\b/g, '…$1s'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b/g, '…:…:…'],
  [/\b0x[0-9a-f]{4,}\b/gi, '0x…'],
  [/\bgoroutine \d+/g, 'goroutine …'],
  [/\b(pid|thread|process)([ =:]+)\d+/gi, '$1$2…'],
  [/(thread '[^'\n]*' )\(\d+\)/g, '$1(…)'],
]

/** The end of a log, for a model to read: at most 60 lines and 4,000 characters, without times, addresses and colours. */
export function trimLog(log: string): string {
  const lines = log
    .slice(-8 * LAST_CHARACTERS)
    .replace(ESCAPES, '')
    .replace(/\r\n?/g, '\n')
    .trimEnd()
    .split('\n')
  const text = lines.slice(-LAST_LINES).join('\n').slice(-LAST_CHARACTERS)
  return FLEETING.reduce((cleaned, [pattern, put]) => cleaned.replace(pattern, put), text)
}
