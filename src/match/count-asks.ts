import type { Season } from '../schema/match.ts'
import { drawsOf } from './choose.ts'
import { protocols } from './protocols/index.ts'

/** Controls that submit: their patches are shown to every reviewer who sees patches. */
const SHOWN_CONTROLS = 2

/** How often one of `competitors` is asked in each role for one task, when every patch is playable. */
export function countAsks(
  season: Pick<Season, 'protocol' | 'bestOf' | 'selfPlay' | 'controls'>,
  competitors: number,
): { readonly patch: number; readonly tests: number } {
  const { ahead, roundsPerRole } = protocols[season.protocol]
  const battles = competitors - 1 + (season.selfPlay ? 1 : 0)
  return {
    // Nothing is shown in the first round of a battle in turn: it is the same asking for all of them.
    patch: (drawsOf(season)?.k ?? 1) + battles * (roundsPerRole - 1),
    tests: ahead.includes('tests') ? 1 : battles * roundsPerRole + (season.controls ? SHOWN_CONTROLS : 0),
  }
}
