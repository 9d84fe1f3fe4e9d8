import type { RoundSummary } from '../../src/schema/view.ts'
import { grouped } from './format.ts'
import { roundsPath } from './paths.ts'
import { VERDICT_ORDER, verdictWords } from './words.ts'

interface BalanceProps {
  readonly rounds: readonly RoundSummary[]
  readonly season: string
}

const WIDTH = 1000

/** How the season's rounds ended, as one bar that is the legend of the marks as well. */
export function Balance({ rounds, season }: BalanceProps) {
  const counts = VERDICT_ORDER.map((kind) => ({
    kind,
    words: verdictWords(kind),
    count: rounds.filter((round) => round.verdict === kind).length,
  }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return null
  let end = 0
  const bars = counts.map((bar) => {
    const start = end
    end += (bar.count / total) * WIDTH
    return { ...bar, x: start, width: end - start }
  })
  return (
    <section aria-labelledby="balance">
      <h2 id="balance">How the rounds ended</h2>
      <svg class="balance" viewBox={`0 0 ${WIDTH} 14`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ kind, words, x, width }) => (
          <rect
            key={kind}
            class={words.mark}
            x={x.toFixed(1)}
            y="0"
            width={Math.max(0, width - 2).toFixed(1)}
            height="14"
          />
        ))}
      </svg>
      <ul class="legend">
        {counts.map(({ kind, words, count }) => (
          <li key={kind}>
            <i class={`m ${words.mark}`} aria-hidden="true" />
            <div>
              <a href={roundsPath(season, { verdict: kind })}>
                <b>{grouped(count)}</b> {words.label}
              </a>
              <small>{words.meaning}</small>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
