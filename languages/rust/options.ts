import { baseName } from '../shared/paths.ts'
import type { ShellWord } from '../shared/shell.ts'
import type { OptionRule } from '../shared/test-command.ts'

const KEPT_VALUES = [
  '--features',
  '-F',
  '--profile',
  '--target',
  '--target-dir',
  '--config',
  '-Z',
  '-j',
  '--jobs',
  '--lockfile-path',
]
const KEPT_FLAGS = [
  '--all-features',
  '--no-default-features',
  '--release',
  '-r',
  '--locked',
  '--offline',
  '--frozen',
  '--ignore-rust-version',
  '--future-incompat-report',
]
const DROPPED_VALUES = [
  '-p',
  '--package',
  '--exclude',
  '--bin',
  '--test',
  '--example',
  '--bench',
  '--manifest-path',
  '--message-format',
  '--color',
  '--unit-graph',
  '-C',
]

/** Keeps what changes how a test binary is built. */
export function cargoRule(option: string): OptionRule {
  if (KEPT_VALUES.includes(option)) return { keep: true, value: true }
  const isJoined = /^-[FZj]./.test(option)
  return {
    keep: isJoined || KEPT_FLAGS.includes(option),
    value: DROPPED_VALUES.includes(option),
  }
}

const LAUNCHERS = /^(env|exec|command|nice|time|timeout|stdbuf|xvfb-run|sudo|-.*|\d+[smh]?|\w+=.*)$/

/** Where `cargo test` ends, as in `cargo +nightly test`. */
export function findCargoTest(words: readonly ShellWord[]): number | undefined {
  const cargo = words.findIndex(({ text }) => baseName(text) === 'cargo')
  if (cargo === -1 || words.slice(0, cargo).some(({ text }) => !LAUNCHERS.test(text))) return undefined
  const command = words.findIndex(({ text }, at) => at > cargo && !/^[-+]/.test(text))
  return ['test', 't'].includes(words[command]?.text ?? '') ? command + 1 : undefined
}
