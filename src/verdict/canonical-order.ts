import type { TestKey } from '../schema/verdict.ts'

/** Code-unit order: the same on every machine and in every locale. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const byKey = (a: TestKey, b: TestKey): number =>
  byText(a.leg, b.leg) || byText(a.file, b.file) || byText(a.case, b.case)

/** A key in one string that no other key gives. */
export const keyText = (key: TestKey): string => JSON.stringify([key.leg, key.file, key.case])
