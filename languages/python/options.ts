import type { RepoView } from '../../src/schema/tree.ts'
import { baseName, joinPath } from '../shared/paths.ts'
import type { ShellWord } from '../shared/shell.ts'
import type { OptionRule } from '../shared/test-command.ts'

/** Options that change what is loaded, and whether their value is a word of its own. */
const KEPT: Readonly<Record<string, boolean>> = {
  '-p': true,
  '-c': true,
  '--config-file': true,
  '--rootdir': true,
  '-o': true,
  '--override-ini': true,
  '--import-mode': true,
  '--confcutdir': true,
  '--basetemp': true,
  '-W': true,
  '--pythonwarnings': true,
  '--strict': false,
  '--strict-markers': false,
  '--strict-config': false,
  '--disable-warnings': false,
  '--noconftest': false,
  '--doctest-modules': false,
}
/** Options that select, stop, order, spread or show, and whether their value is a word of its own. */
const DROPPED: Readonly<Record<string, boolean>> = {
  '-k': true,
  '-m': true,
  '-n': true,
  '-r': true,
  '--deselect': true,
  '--ignore': true,
  '--ignore-glob': true,
  '--maxfail': true,
  '--numprocesses': true,
  '--dist': true,
  '--tb': true,
  '--junitxml': true,
  '--junit-xml': true,
  '--junit-prefix': true,
  '--durations': true,
  '--durations-min': true,
  '--verbosity': true,
  '--color': true,
  '--capture': true,
  '--show-capture': true,
  '--log-level': true,
  '--log-cli-level': true,
  '--log-file': true,
  '--reruns': true,
  '--reruns-delay': true,
  '--count': true,
  '--maxprocesses': true,
  '--splits': true,
  '--group': true,
  '--cov-report': true,
  '--cov-config': true,
  '--cov-fail-under': true,
}
const DROPPED_FLAGS =
  /^(-[qvxsl]+|--(exitfirst|quiet|verbose|no-header|no-summary|lf|last-failed|ff|failed-first|nf|new-first|sw|stepwise.*|sw-.*|collect-only|co|pyargs|cov.*|no-cov.*|fixtures|setup-.*|showlocals|cache-clear|exitstatus|random-order.*|benchmark.*|html|self-contained-html))$/

/**
 * What becomes of a pytest option in `arena tests`. One that we do not know belongs to a plugin or the project and is kept;
 * a word after it is its value unless it is an option or a path of the tree.
 */
export function pytestRule(
  tree: RepoView,
  folder: string,
): (option: string, next: string | undefined) => OptionRule {
  const paths = new Set(tree.list())
  const isPath = (word: string): boolean => {
    const path = joinPath(folder, word.split('::')[0] ?? '')
    return word === '.' || paths.has(path) || tree.list().some((known) => known.startsWith(`${path}/`))
  }
  return (option, next) => {
    if (option in KEPT) return { keep: true, value: KEPT[option] ?? false }
    if (option in DROPPED) return { keep: false, value: DROPPED[option] ?? false }
    if (option === '--cov') return { keep: false, value: false }
    if (DROPPED_FLAGS.test(option) || /^-n\d/.test(option)) return { keep: false, value: false }
    if (/^-[krm]./.test(option) && !option.startsWith('--')) return { keep: false, value: false }
    const value = next !== undefined && !next.startsWith('-') && !isPath(next)
    return { keep: true, value: option.startsWith('--') && value }
  }
}

/** Where pytest's own name ends: `pytest`, `py.test`, `python -m pytest`, behind launchers and environment settings. */
export function findPytest(words: readonly ShellWord[]): number | undefined {
  for (const [index, { text }] of words.entries()) {
    const name = baseName(text)
    const isTool = name === 'pytest' || name === 'py.test'
    const behindModule = words[index - 1]?.text === '-m'
    if (isTool && (behindModule || isRunnable(words.slice(0, index)))) return index + 1
  }
  return undefined
}

const LAUNCHERS =
  /^(env|exec|command|nice|ionice|time|timeout|stdbuf|xvfb-run|poetry|uv|pdm|pipenv|hatch|rye|conda|micromamba|mamba|run|sudo|-.*|\d+[smh]?|\w+=.*)$/

/** Words before the tool's name that only launch it: `pip install pytest` is no pytest call. */
const isRunnable = (words: readonly ShellWord[]): boolean =>
  words.every(({ text }) => LAUNCHERS.test(baseName(text)))
