import { baseName } from '../shared/paths.ts'
import type { ShellWord } from '../shared/shell.ts'

const LAUNCHERS = /^(env|exec|command|nice|time|timeout|stdbuf|xvfb-run|sudo|-.*|\d+[smh]?|\w+=.*)$/

/** Where `ctest` ends, or a build tool that is asked for its test target: `make test`, `cmake --build B --target test`. */
export function findCtest(words: readonly ShellWord[]): number | undefined {
  const index = words.findIndex(({ text }) => !LAUNCHERS.test(text))
  const tool = baseName(words[index]?.text ?? '')
  if (tool === 'ctest') return index + 1
  if (!['make', 'gmake', 'ninja', 'cmake'].includes(tool)) return undefined
  const asksTests = words.slice(index + 1).some(({ text }) => ['test', 'check', 'RUN_TESTS'].includes(text))
  return asksTests ? index + 1 : undefined
}

/** The folder of the build and its configuration, as the test command's own options say; null where they do not. */
export function buildOptions(args: readonly ShellWord[]): {
  readonly folder: string | null
  readonly config: string | null
} {
  const valueAfter = (...names: readonly string[]): string | null => {
    for (const [index, { raw, text }] of args.entries()) {
      if (names.includes(text)) return args[index + 1]?.raw ?? null
      const name = names.find((candidate) => candidate.startsWith('--') && text.startsWith(`${candidate}=`))
      if (name !== undefined) return raw.slice(name.length + 1)
    }
    return null
  }
  return {
    folder: valueAfter('--test-dir', '--build'),
    config: valueAfter('-C', '--build-config', '--config'),
  }
}
