import { type Ask, blindAsk, type RoundSoFar, type Step } from './step.ts'

/** The patches that are still to be drawn. */
export const patchAsks = ({ draws, temperature, patches, told }: RoundSoFar): readonly Ask[] =>
  Array.from({ length: draws - patches.length }, (_, index) => ({
    ...blindAsk('patch'),
    sample: patches.length + index,
    temperature,
    feedback: told.patch,
  }))

/** Neither side sees the other's work, so both are asked at once: one patch, or several of which one is chosen. */
export function nextBlindStep(soFar: RoundSoFar): Step {
  const { tests, chosen, ran, isJudged } = soFar
  const asks = [...patchAsks(soFar), ...(tests ? [] : [blindAsk('tests')])]
  if (asks.length > 0) return { kind: 'generate', asks }
  if (!chosen) return { kind: 'choose' }
  if (ran !== 'with-tests') return { kind: 'run-ci', tests: 'with-tests' }
  return { kind: isJudged ? 'stop' : 'judge' }
}
