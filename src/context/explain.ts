import { outlineOf } from '../../languages/outlines.ts'
import type { ContextItem, ContextManifest } from '../schema/context.ts'
import type { Lane } from './lanes.ts'
import type { ScoreParts } from './rank.ts'
import type { Retrieved } from './retrieve.ts'
import type { TreeIndex } from './tree-index.ts'

/** Why a file is in a pack or not. */
export interface Explanation {
  readonly path: string
  /**
   * `shown`: in the pack. `ranked`: scored, but nothing of it fits or is good enough. `unscored`: indexed, but no word of the issue
   * stands in it. `other-lane`, `not-code`, `skipped`, `left-out`: in no ranking of this lane. `absent`: not in the tree.
   */
  readonly state:
    | 'shown'
    | 'ranked'
    | 'unscored'
    | 'other-lane'
    | 'not-code'
    | 'skipped'
    | 'left-out'
    | 'absent'
  readonly reason: string
  /** 1 is the best; null for a file that is in no ranking. */
  readonly place: number | null
  readonly score: number | null
  readonly parts: ScoreParts | null
  readonly items: readonly ContextItem[]
}

const WORDS = {
  large: 'it is larger than 1 MB',
  binary: 'it is binary: a NUL stands in its first 8 KB',
  'lfs-pointer': 'it is a Git LFS pointer',
  minified: 'nobody wrote its lines: they are over 500 bytes long on average',
} as const

/** Says of one path of the tree what became of it. */
export function explainPath(
  path: string,
  index: TreeIndex,
  laneOf: (path: string) => Lane,
  { manifest, ranking }: Retrieved,
): Explanation {
  const tell = (
    state: Explanation['state'],
    reason: string,
    more: Partial<Explanation> = {},
  ): Explanation => ({ path, state, reason, place: null, score: null, parts: null, items: [], ...more })
  const left = index.corpus.leftOut.find((entry) => entry.path === path)
  if (left) return tell('left-out', `it is not read: ${left.reason}`)
  if (!index.corpus.files.some((file) => file.path === path))
    return tell('absent', `the ${manifest.base.kind} holds no such file`)
  const lane = laneOf(path)
  if (lane === 'other')
    return tell(
      'not-code',
      outlineOf(path)
        ? 'it steers the workflow, or other projects wrote it'
        : 'its name has no ending of a language that is indexed',
    )
  const file = index.files.find((one) => one.path === path)
  if (file?.place.skipped) return tell('skipped', WORDS[file.place.skipped])
  const ofPart = ranking.filter(({ part }) => part === lane)
  if (lane === 'test' && manifest.lane === 'submitter')
    return tell('other-lane', 'it is a test: only reviewers are shown tests')
  const place = ofPart.findIndex((one) => one.file.path === path)
  const ranked = ofPart[place]
  if (!ranked)
    return tell(
      'unscored',
      `no word of the issue that tells files apart puts it among the best ${ofPart.length}`,
    )
  const items = manifest.items.filter((item) => item.path === path)
  const about = { place: place + 1, score: ranked.score, parts: ranked.parts, items }
  if (items.length > 0) return tell('shown', rangesOf(items), about)
  return tell('ranked', lastShown(manifest, ofPart.length), about)
}

const rangesOf = (items: readonly ContextItem[]): string =>
  `lines ${items.map(({ startLine, endLine }) => `${startLine}–${endLine}`).join(', ')} are shown`

const lastShown = ({ items, tokens, budgetTokens }: ContextManifest, ranked: number): string =>
  `better chunks filled the budget: ${items.length} runs of lines take ${tokens} of ${budgetTokens} tokens; ${ranked} files are ranked`
