import type { Draw, Round } from '../schema/match.ts'

/**
 * The probability that a right patch gets a higher score than a wrong one, ties counted half (the area under the ROC curve); null
 * where there is none of either.
 */
export function areaUnderCurve(right: readonly number[], wrong: readonly number[]): number | null {
  if (right.length === 0 || wrong.length === 0) return null
  const wins = right.flatMap((high) => wrong.map((low) => (high > low ? 1 : high === low ? 0.5 : 0)))
  return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length
}

/**
 * The unbiased estimate that at least one of k draws succeeds, from n draws of which c did: 1 − C(n−c, k) / C(n, k)
 * (Chen and others, 2021). Null where n < k.
 */
export function bestAtK(n: number, c: number, k: number): number | null {
  if (n < k) return null
  let allFail = 1
  for (let draw = 0; draw < k; draw++) allFail *= Math.max(0, n - c - draw) / (n - draw)
  return 1 - allFail
}

/** One competitor's draws over a season's tasks. A patch succeeds when it resolves its task by the upstream tests. */
export interface DrawSummary {
  readonly competitor: string
  /** Tasks of which at least one draw is known to resolve or not. */
  readonly tasks: number
  readonly k: number
  readonly temperature: number
  /** Best@1 … Best@k, each the mean over the tasks that have as many draws of which that is known. */
  readonly bestAt: readonly (number | null)[]
  /** Patches with a score, and those that could have one: they apply. */
  readonly scored: number
  readonly patches: number
  /** Share of tasks resolved by the chosen patch, by a random one, and by the best one. */
  readonly chosen: number
  readonly random: number
  readonly oracle: number
  /** Of what an oracle's choice gains over a random one, the share that the choice made gains; null where that is nothing. */
  readonly captured: number | null
}

interface OneDraw {
  readonly competitor: string
  readonly draw: Draw
  readonly chosen: string
}

/** The draws behind rounds, each once: opponents share them. */
function drawsIn(rounds: readonly Pick<Round, 'submitter' | 'patch' | 'draw'>[]): readonly OneDraw[] {
  const byPatches = new Map<string, OneDraw>()
  for (const { submitter, patch, draw } of rounds)
    if (draw) {
      const key = draw.patches.map((drawn) => drawn.patch).join()
      byPatches.set(`${submitter} ${key}`, { competitor: submitter, draw, chosen: patch })
    }
  return [...byPatches.values()]
}

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

function summarise(competitor: string, draws: readonly OneDraw[]): DrawSummary {
  const k = Math.max(...draws.map(({ draw }) => draw.patches.length))
  const tasks = draws.flatMap(({ draw, chosen }) => {
    const known = draw.patches.filter(({ resolved }) => resolved !== 'unknown')
    if (known.length === 0) return []
    const right = known.filter(({ resolved }) => resolved === 'yes')
    return [{ n: known.length, c: right.length, isRight: right.some(({ patch }) => patch === chosen) }]
  })
  const share = (values: readonly number[]): number => mean(values) ?? 0
  const chosen = share(tasks.map(({ isRight }) => (isRight ? 1 : 0)))
  const random = share(tasks.map(({ n, c }) => c / n))
  const oracle = share(tasks.map(({ c }) => (c > 0 ? 1 : 0)))
  const patches = draws.flatMap(({ draw }) => draw.patches)
  return {
    competitor,
    tasks: tasks.length,
    k,
    temperature: draws[0]?.draw.temperature ?? 0,
    bestAt: Array.from({ length: k }, (_, index) =>
      mean(tasks.flatMap(({ n, c }) => bestAtK(n, c, index + 1) ?? [])),
    ),
    scored: patches.filter(({ score }) => score !== null).length,
    patches: patches.filter(({ cell }) => cell !== null).length,
    chosen,
    random,
    oracle,
    captured: oracle > random ? (chosen - random) / (oracle - random) : null,
  }
}

/** What drawing several patches was worth, a competitor a line, by id; empty where no round drew any. */
export function summariseDraws(
  rounds: readonly Pick<Round, 'submitter' | 'patch' | 'draw'>[],
): readonly DrawSummary[] {
  const draws = drawsIn(rounds)
  const competitors = [...new Set(draws.map(({ competitor }) => competitor))].sort()
  return competitors.map((competitor) =>
    summarise(
      competitor,
      draws.filter((one) => one.competitor === competitor),
    ),
  )
}
