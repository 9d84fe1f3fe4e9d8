import { baseName } from '../shared/paths.ts'
import type { ShellWord } from '../shared/shell.ts'
import type { OptionRule } from '../shared/test-command.ts'

/** Build flags with a value, which are kept. */
const BUILD_VALUES = [
  'tags',
  'mod',
  'modfile',
  'overlay',
  'ldflags',
  'gcflags',
  'gccgoflags',
  'asmflags',
  'compiler',
  'toolexec',
  'pkgdir',
  'installsuffix',
  'buildmode',
  'p',
  'pgo',
]
const BUILD_FLAGS = ['race', 'msan', 'asan', 'trimpath', 'linkshared', 'modcacherw', 'buildvcs']
/** Flags with a value that select, stop, repeat, spread or measure. */
const DROPPED_VALUES = [
  'run',
  'skip',
  'bench',
  'benchtime',
  'count',
  'cpu',
  'parallel',
  'timeout',
  'shuffle',
  'list',
  'fuzz',
  'fuzztime',
  'fuzzminimizetime',
  'fuzzcachedir',
  'covermode',
  'coverpkg',
  'coverprofile',
  'outputdir',
  'cpuprofile',
  'memprofile',
  'memprofilerate',
  'blockprofile',
  'blockprofilerate',
  'mutexprofile',
  'mutexprofilefraction',
  'trace',
  'vet',
  'exec',
  'o',
  'C',
]

/** Keeps what changes how the test binary is built. */
export function goRule(option: string): OptionRule {
  const name = option.replace(/^--?/, '')
  if (BUILD_VALUES.includes(name)) return { keep: true, value: true }
  if (BUILD_FLAGS.includes(name)) return { keep: true, value: false }
  return { keep: false, value: DROPPED_VALUES.includes(name) }
}

/** Where `go test` ends, as in `go -C dir test`; or `gotestsum … --`, whose arguments go on to `go test`. */
export function findGoTest(words: readonly ShellWord[]): number | undefined {
  const index = words.findIndex(({ text }) => ['go', 'gotestsum'].includes(baseName(text)))
  if (index === -1 || words.slice(0, index).some(({ text }) => !LAUNCHERS.test(text))) return undefined
  if (baseName(words[index]?.text ?? '') === 'gotestsum') {
    const dashes = words.findIndex(({ text }) => text === '--')
    return dashes === -1 ? words.length : dashes + 1
  }
  const command = words.findIndex(
    ({ text }, at) => at > index && !text.startsWith('-') && words[at - 1]?.text !== '-C',
  )
  return words[command]?.text === 'test' ? command + 1 : undefined
}

const LAUNCHERS = /^(env|exec|command|nice|time|timeout|stdbuf|xvfb-run|sudo|-.*|\d+[smh]?|\w+=.*)$/
