import { isValueList, isValueMap, textOf, type Value } from './values.ts'

/** The labels of `runs-on`, which may be one, a list, or a mapping with `labels` and `group`. */
export function labelsOf(value: Value): readonly string[] {
  if (isValueList(value)) return value.map(textOf)
  if (isValueMap(value)) return labelsOf(value.labels ?? [])
  return textOf(value) === '' ? [] : [textOf(value)]
}

/** Why a leg cannot run on a Linux x64 machine, or undefined when it can. */
export function refusedLabels(labels: readonly string[]): string | undefined {
  const lower = labels.map((label) => label.toLowerCase())
  const other = lower.find((label) => /^(windows|macos|mac|osx)/.test(label))
  if (other !== undefined) return `runs-on ${other}: only Linux is at hand`
  const arm = lower.find((label) => /(^|-)(arm|arm64|aarch64|riscv64|s390x|ppc64le)($|-)/.test(label))
  if (arm !== undefined) return `runs-on ${arm}: only x64 is at hand`
  if (labels.length === 0) return 'runs-on names no machine'
  if (lower.some((label) => label.startsWith('ubuntu') || label === 'linux')) return undefined
  return `runs-on ${labels.join(', ')}: not a Linux label that is known`
}
