import { patchAsks } from './blind.ts'
import { blindAsk, type NextStep } from './step.ts'

/**
 * The reviewer sees the patch. One that is not playable, or of which infrastructure broke a result that decides it, ends the
 * round before the reviewer is asked.
 */
const sightedStep =
  (hints: boolean): NextStep =>
  (soFar) => {
    const { chosen, tests, ran, playable, isJudged, told } = soFar
    const asks = patchAsks(soFar)
    if (asks.length > 0) return { kind: 'generate', asks }
    if (!chosen) return { kind: 'choose' }
    if (ran === 'nothing') return { kind: 'run-ci', tests: 'without-tests' }
    if (playable === 'yes' && ran === 'without-tests')
      return tests
        ? { kind: 'run-ci', tests: 'with-tests' }
        : {
            kind: 'generate',
            asks: [{ ...blindAsk('tests'), patch: chosen, hints, feedback: told.tests }],
          }
    return { kind: isJudged ? 'stop' : 'judge' }
  }

export const nextSightedStep: NextStep = sightedStep(false)

/** As sighted, with hints on what the patch changed most; what earlier rounds told is in `told`. */
export const nextPaperStep: NextStep = sightedStep(true)
