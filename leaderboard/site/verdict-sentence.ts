import type { Verdict } from '../../src/schema/verdict.ts'
import { plural } from './format.ts'
import { oneLine, visible } from './visible.ts'
import { FORFEITS, PATCH_FORFEITS, spaced } from './words.ts'

export interface Names {
  readonly submitter: string
  readonly reviewer: string
}

/** A sentence with places for the two names. */
export type Sentence = readonly (string | { readonly who: keyof Names })[]

const SUBMITTER = { who: 'submitter' } as const
const REVIEWER = { who: 'reviewer' } as const

const patchReason = ({ submitterReason }: Verdict): string =>
  submitterReason === null ? 'is not playable' : PATCH_FORFEITS[submitterReason]
const testsReason = ({ reviewerReason }: Verdict): string =>
  reviewerReason === null ? 'hold nothing that counts' : FORFEITS[reviewerReason]

/** The verdict in one sentence. */
export function verdictSentence(verdict: Verdict): Sentence {
  const admitted = plural(verdict.admitted.length, 'admitted test')
  switch (verdict.kind) {
    case 'submitter-win':
      return ['The patch of ', SUBMITTER, ` survived ${admitted} of `, REVIEWER, '.']
    case 'reviewer-win':
      return [
        REVIEWER,
        ' killed the patch of ',
        SUBMITTER,
        ` with ${verdict.killedBy.length} of ${admitted}.`,
      ]
    case 'submitter-forfeit':
      return [SUBMITTER, ` forfeits: the patch ${patchReason(verdict)}.`]
    case 'reviewer-forfeit':
      return [
        REVIEWER,
        ` forfeits: the tests ${testsReason(verdict)}. The patch of `,
        SUBMITTER,
        ' survives.',
      ]
    case 'no-contest':
      return [
        'No contest: the patch of ',
        SUBMITTER,
        ` ${patchReason(verdict)}, and the tests of `,
        REVIEWER,
        ` ${testsReason(verdict)}.`,
      ]
    case 'void':
      return ['Void: the environment broke, so nobody is to blame and the battle is played again.']
  }
}

export const sentenceText = (sentence: Sentence, names: Names): string =>
  sentence.map((part) => (typeof part === 'string' ? part : names[part.who])).join('')

const FLAGS: Readonly<Record<string, string>> = {
  flaky: 'Flaky: some runs of a deciding test disagree; what disagrees counts as not passed.',
  'does-not-build': 'An admitted test file does not build on the patch, which counts as not passed there.',
  'timed-out': 'A deciding test ran out of time on the patch.',
  'out-of-memory': 'A deciding test ran out of memory on the patch.',
  'over-specified':
    'A test was found over-specified: it counts as passed on patches that the upstream tests call right.',
  unarmed: 'Some test processes could not be armed against forged results.',
  'limits-not-enforced': 'This machine could not enforce every limit of the sandbox.',
  stale: 'Stale: a run that the current judge needs is no longer kept, so the older verdict stands.',
}

/** Why the verdict is what it is, a line each. */
export function verdictReasons(verdict: Verdict): readonly string[] {
  const broken = verdict.broken.map(({ leg, case: name, found }) =>
    name === null
      ? `The job ${oneLine(leg, 80)} no longer succeeds: ${oneLine(found, 200)}.`
      : `${oneLine(name, 200)} passed at base in ${oneLine(leg, 80)}; with the patch: ${spaced(oneLine(found, 200))}.`,
  )
  return [
    ...verdict.voidBecause.map(visible),
    ...verdict.forged.map(
      (found) => `Forged in ${oneLine(found, 200)}: its sentinel, a test that must fail, did not.`,
    ),
    ...broken,
    ...verdict.flags.map((flag) => FLAGS[flag] ?? spaced(oneLine(flag, 80))),
  ]
}

export function resolvedSentence({ resolved }: Pick<Verdict, 'resolved'>): string {
  switch (resolved) {
    case 'yes':
      return 'The upstream tests call the issue resolved.'
    case 'no':
      return 'The upstream tests do not call the issue resolved.'
    case 'unknown':
      return 'Whether the upstream tests call the issue resolved is not known.'
  }
}
