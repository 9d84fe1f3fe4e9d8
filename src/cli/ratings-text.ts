import type { FittedCompetitor, FittedRatings, PairComparison } from '../arena/fit-ratings.ts'
import type { VerifiedSnapshot } from '../arena/snapshots.ts'
import { renderTable } from './table.ts'

const left = (title: string) => ({ title, align: 'left' as const })
const right = (title: string) => ({ title, align: 'right' as const })
const whole = (value: number | null): string => (value === null ? '–' : String(Math.round(value)))
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

function intervalOf({ low, high }: Pick<FittedCompetitor, 'low' | 'high'>): string {
  if (low !== null && high !== null) return `${whole(low)}–${whole(high)}`
  return low !== null ? `over ${whole(low)}` : high !== null ? `under ${whole(high)}` : '–'
}

const rankOf = (rank: FittedCompetitor['rank']): string => (rank ? `${rank.best}–${rank.worst}` : '–')

function remarksOn(fitted: FittedRatings): readonly string[] {
  const { centre, centredOn, apart, alike, auditAlarms, fragility } = fitted
  const named =
    centre.length > 8 ? `${centre.slice(0, 8).join(', ')} and ${centre.length - 8} more` : centre.join(', ')
  return [
    ...(centre.length > 0
      ? [`1500 is the mean of ${centredOn === 'anchors' ? 'the anchors ' : ''}${named}.`]
      : ['No decisive battle joins anybody: there is no centre.']),
    ...(apart.length > 0 ? [`Never met these, even through others: ${apart.join(', ')}.`] : []),
    ...(alike ? ['Every round ended alike: nobody can be told from anybody.'] : []),
    ...(auditAlarms.length > 0
      ? [`The audit model says something else of ${auditAlarms.join(', ')} (|z| above 3).`]
      : []),
    ...(fragility
      ? [
          `Without ${plural(fragility.battles, 'battle')} of ${fragility.of}, well chosen, ${fragility.instead} would stand first.`,
        ]
      : []),
  ]
}

/** A fit as a terminal shows it. */
export function renderFit(fitted: FittedRatings): string {
  const drawn = fitted.competitors.some(({ bootstrap }) => bootstrap !== null)
  const table = renderTable(
    [
      left('competitor'),
      right('rating'),
      left('95 %'),
      left('rank'),
      right('patch'),
      right('review'),
      right('battles'),
      right('tasks'),
      right('audit z'),
      left('state'),
      ...(drawn ? [left('bootstrap 95 %'), right('first')] : []),
    ],
    fitted.competitors.map((one) => [
      one.competitor,
      whole(one.rating),
      intervalOf(one),
      rankOf(one.rank),
      whole(one.patch),
      whole(one.review),
      String(one.battles),
      String(one.tasks),
      one.auditZ === null ? '–' : one.auditZ.toFixed(2),
      one.state,
      ...(one.bootstrap ? [intervalOf(one.bootstrap), `${(100 * one.bootstrap.top).toFixed(1)} %`] : []),
    ]),
  )
  return [
    `${plural(fitted.rounds, 'round')}, ${plural(fitted.battles, 'battle')} (${fitted.decisive} decisive), ${plural(fitted.tasks.length, 'task')}; engine ${fitted.engine}`,
    '',
    table,
    '',
    ...remarksOn(fitted),
    '',
  ].join('\n')
}

const DECISIONS = {
  lead: 'accepted',
  'no-lead': 'rejected',
  open: 'neither accepted nor rejected yet',
} as const

/** A comparison as a terminal shows it. */
export function renderComparison(compared: PairComparison): string {
  const { a, b, difference, se, wins, losses, draws, eValue, claim, test } = compared
  return [
    `${a} − ${b}: ${difference.toFixed(1)} points, standard error ${se.toFixed(1)}, 95 % ${whole(compared.low)} to ${whole(compared.high)}`,
    `tasks: ${a} won ${wins}, ${b} won ${losses}, ${draws} split`,
    `e-value ${eValue.toFixed(2)}: ${claim === null ? 'no claim (20 is one)' : `${claim === 'a' ? a : b} is the better one`}`,
    `a lead of ${test.leadElo} Elo for ${a}: ${DECISIONS[test.decision]} (log-likelihood ratio ${test.logLikelihoodRatio.toFixed(2)}, bounds ±${test.bounds[1].toFixed(2)})`,
    '',
  ].join('\n')
}

/** What a verification found, as a terminal shows it. */
export function renderVerified({ digest, season, engine, holds, differences }: VerifiedSnapshot): string {
  const head = `snapshot ${digest} of season ${season}, engine ${engine}`
  if (holds) return `${head}: holds, every printed digit was computed again\n`
  const table = renderTable(
    [left('place'), left('the snapshot says'), left('found')],
    differences.map(({ place, stated, found }) => [place, stated, found]),
  )
  return `${head}: does not hold\n\n${table}\n`
}
