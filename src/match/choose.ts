import { settleAll } from '../ci/settle-all.ts'
import type { Draw, DrawnPatch, Generation, Season } from '../schema/match.ts'
import { decideVerdict } from '../verdict/decide.ts'
import type { Cells } from './cells.ts'
import { collectEvidence } from './collect-evidence.ts'
import type { TaskInPlay } from './round.ts'

/** How many patches a side draws, and at what temperature. */
export interface Draws {
  readonly k: number
  readonly temperature: number
}

export const drawsOf = ({ bestOf }: Pick<Season, 'bestOf'>): Draws | undefined =>
  bestOf && { k: bestOf.k, temperature: bestOf.temperature }

/** Which of several patches plays, and why. */
export interface Choice {
  readonly index: number
  readonly chosenBy: Draw['chosenBy']
  readonly verifier: string | null
  /** For each patch in its order. */
  readonly scores: readonly Pick<DrawnPatch, 'score' | 'assessment'>[]
}

const NO_SCORE = { score: null, assessment: null }

/** The first patch that applies; the first of all where none does. */
export function chooseFirst(patches: readonly Pick<Generation, 'outcome'>[]): Choice {
  const index = patches.findIndex(({ outcome }) => outcome.kind === 'applied')
  return { index: Math.max(0, index), chosenBy: 'first', verifier: null, scores: patches.map(() => NO_SCORE) }
}

/**
 * The patch with the highest score, the earlier one where scores are equal; without any score as chooseFirst. Only patches that
 * apply have one.
 */
export function chooseByScore(
  verifier: string,
  patches: readonly Pick<Generation, 'outcome'>[],
  scores: Choice['scores'],
): Choice {
  const best = Math.max(...scores.map(({ score }) => score ?? Number.NEGATIVE_INFINITY))
  const index = scores.findIndex(({ score }) => score === best)
  if (index === -1) return { ...chooseFirst(patches), verifier, scores }
  return { index, chosenBy: 'verifier', verifier, scores }
}

export interface JudgeDrawRequest {
  readonly draws: Draws
  readonly choice: Choice
  readonly patches: readonly Generation[]
  readonly task: TaskInPlay
  readonly attempt: number
  readonly cells: Cells
}

/** How every drawn patch fares with the repository's own tests and the upstream ones: for Best@k, never for the verdict. */
export async function judgeDraw(request: JudgeDrawRequest): Promise<Draw> {
  const { draws, choice, patches, task, attempt, cells } = request
  const judge = async (patch: Generation, index: number): Promise<DrawnPatch> => {
    const { evidence, cells: keys } = await collectEvidence({
      task: task.prepared,
      // A reviewer is not asked about a patch that does not play.
      protocol: 'sighted',
      patch,
      tests: null,
      oracleCases: task.oracleCases,
      cells,
      attempt,
    })
    const verdict = decideVerdict(evidence)
    // Where not even golden can run, nothing that was run says anything of a patch.
    const { playable, resolved } =
      evidence.probe === 'failed' ? { playable: 'unknown' as const, resolved: 'unknown' as const } : verdict
    const scored = choice.scores[index] ?? NO_SCORE
    return { patch: patch.id, ...scored, playable, resolved, cell: keys.patch, oracle: keys.oracle }
  }
  return {
    temperature: draws.temperature,
    chosenBy: choice.chosenBy,
    verifier: choice.verifier,
    patches: await settleAll(patches.map(judge)),
  }
}
