import type { ForfeitReason, RejectedKey, VerdictKind } from '../../src/schema/verdict.ts'

/** Who a verdict favours: the side's colour. */
export type Side = 'patch' | 'tests' | 'nobody'

export interface VerdictWords {
  readonly label: string
  readonly side: Side
  /** Class of its mark: a filled tile is decided by tests, an outlined one by forfeit. */
  readonly mark: 'sw' | 'rw' | 'sf' | 'rf' | 'nc' | 'vo'
  readonly meaning: string
}

const VERDICTS: Readonly<Record<VerdictKind, VerdictWords>> = {
  'submitter-win': {
    label: 'patch survived',
    side: 'patch',
    mark: 'sw',
    meaning: 'the patch passes every admitted test',
  },
  'reviewer-win': {
    label: 'patch killed',
    side: 'tests',
    mark: 'rw',
    meaning: 'an admitted test does not pass on the patch',
  },
  'submitter-forfeit': {
    label: 'patch forfeits',
    side: 'tests',
    mark: 'sf',
    meaning: 'the patch is not playable',
  },
  'reviewer-forfeit': {
    label: 'tests forfeit',
    side: 'patch',
    mark: 'rf',
    meaning: 'no test was admitted; the patch survives',
  },
  'no-contest': {
    label: 'no contest',
    side: 'nobody',
    mark: 'nc',
    meaning: 'neither side brought anything that counts',
  },
  void: {
    label: 'void',
    side: 'nobody',
    mark: 'vo',
    meaning: 'the environment broke; nobody is to blame',
  },
}

/** In the order of legends and counts. */
export const VERDICT_ORDER: readonly VerdictKind[] = [
  'submitter-win',
  'reviewer-forfeit',
  'reviewer-win',
  'submitter-forfeit',
  'no-contest',
  'void',
]

const isVerdict = (kind: string): kind is VerdictKind => Object.hasOwn(VERDICTS, kind)

/** Kinds that this version does not know are shown by their own name. */
export function verdictWords(kind: string): VerdictWords {
  return isVerdict(kind) ? VERDICTS[kind] : { label: kind, side: 'nobody', mark: 'nc', meaning: kind }
}

/** Completes `the patch …` and `the tests …`. */
export const FORFEITS: Readonly<Record<ForfeitReason, string>> = {
  'does-not-apply': 'do not apply on the base commit',
  empty: 'are empty after the path policy',
  malformed: 'are not in a form that can be read',
  refusal: 'were refused by the model',
  truncated: 'were cut off before the end',
  unusable: 'hold nothing that can be used',
  endpoint: 'never came: the endpoint failed',
  forged: 'forge their own results',
  'breaks-tests': 'break tests that passed before',
  'breaks-leg': 'break a job that succeeded before',
  'not-admitted': 'hold no test that was admitted',
  'no-cases': 'hold no test case',
}

/** The same of one patch. */
export const PATCH_FORFEITS: Readonly<Record<ForfeitReason, string>> = {
  'does-not-apply': 'does not apply on the base commit',
  empty: 'is empty after the path policy',
  malformed: 'is not in a form that can be read',
  refusal: 'was refused by the model',
  truncated: 'was cut off before its end',
  unusable: 'holds nothing that can be used',
  endpoint: 'never came: the endpoint failed',
  forged: 'forges its own test results',
  'breaks-tests': 'breaks tests that passed before',
  'breaks-leg': 'breaks a job that succeeded before',
  'not-admitted': 'was not admitted',
  'no-cases': 'holds no case',
}

export const REJECTIONS: Readonly<Record<RejectedKey['why'], string>> = {
  'passes-on-base': 'passes without any fix',
  'passes-on-commented-base': 'passes when only a comment is added',
  'skipped-on-base': 'is skipped without the fix',
  'fails-on-golden': 'does not pass on the human fix',
  'fails-on-commented-golden': 'does not pass on the human fix with a comment added',
  'flaky-on-golden': 'does not pass every time on the human fix',
  lint: 'fails the repository’s own lint',
  'over-the-cap': 'is over the season’s cap',
  unknown: 'could not be judged',
}

const CONTROLS: Readonly<Record<string, string>> = {
  golden: 'human fix',
  'no-op': 'comment only',
  'upstream-tests': 'upstream tests',
  'empty-tests': 'no tests',
  'always-fail-tests': 'tests that always fail',
}

export const controlName = (id: string): string => CONTROLS[id] ?? id

const LANGUAGES: Readonly<Record<string, readonly [short: string, name: string]>> = {
  cpp: ['C++', 'C++'],
  python: ['Py', 'Python'],
  rust: ['Rs', 'Rust'],
  go: ['Go', 'Go'],
}

export const languageName = (id: string): string => LANGUAGES[id]?.[1] ?? id
export const languageShort = (id: string): string => LANGUAGES[id]?.[0] ?? id.slice(0, 3)

/** Signs of test outcomes and conclusions: a shape beside the word. */
export type Tone = 'good' | 'bad' | 'dull'

export function toneOf(outcome: string): Tone {
  if (outcome === 'passed' || outcome === 'success' || outcome === 'yes') return 'good'
  if (['skipped', 'cancelled', 'unsupported', 'unknown', 'mixed'].includes(outcome)) return 'dull'
  return 'bad'
}

export const signOf: Readonly<Record<Tone, string>> = { good: '✓', bad: '✕', dull: '–' }

/** `timed_out` → `timed out`. */
export const spaced = (word: string): string => word.replace(/[_-]/g, ' ')
