import { rounded } from './format.ts'

/** The rating axis that all rows of a table share. */
export interface Axis {
  readonly from: number
  readonly to: number
  readonly ticks: readonly number[]
}

const WIDTH = 150
const PAD = 6
const STEPS = [50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000]

interface Interval {
  readonly rating: number | null
  readonly low: number | null
  readonly high: number | null
}

/** From the lowest to the highest end that is shown, with at most four ticks on round numbers. */
export function axisOf(rows: readonly Interval[]): Axis | null {
  const ends = rows
    .flatMap(({ rating, low, high }) => [rating, low, high])
    .flatMap((value) => (value === null ? [] : [value]))
  if (ends.length === 0) return null
  const from = Math.min(...ends)
  const to = Math.max(...ends)
  const step = STEPS.find((size) => (to - from) / size <= 4) ?? 20_000
  const first = Math.ceil(from / step) * step
  const ticks: number[] = []
  for (let tick = first; tick <= to; tick += step) ticks.push(tick)
  return { from, to: to === from ? from + 1 : to, ticks }
}

const placeOf = (axis: Axis, value: number): string =>
  (PAD + ((value - axis.from) / (axis.to - axis.from)) * (WIDTH - 2 * PAD)).toFixed(1)

/** The numbers of the axis, above the whiskers. */
export function AxisTicks({ axis }: { readonly axis: Axis }) {
  return (
    <svg class="axis" viewBox={`0 0 ${WIDTH} 12`} width={WIDTH} height="12" aria-hidden="true">
      {axis.ticks.map((tick) => (
        <text key={tick} x={placeOf(axis, tick)} y="10">
          {tick}
        </text>
      ))}
    </svg>
  )
}

/** From end to end, with a bar at each; an end that is not known runs out of the picture. */
function spanOf(axis: Axis, low: number | null, high: number | null): string {
  const from = low === null ? 'M0 12' : `M${placeOf(axis, low)} 7v10m0-5`
  const to = high === null ? `H${WIDTH}` : `H${placeOf(axis, high)}m0-5v10`
  return `${from}${to}`
}

/** A rating with its interval; a limit alone has no dot. The numbers stand beside it, so that it says nothing of its own. */
export function Whisker({ axis, rating, low, high }: Interval & { readonly axis: Axis }) {
  if (rating === null && low === null && high === null) return null
  return (
    <svg class="whisker" viewBox={`0 0 ${WIDTH} 24`} width={WIDTH} height="24" aria-hidden="true">
      {axis.ticks.map((tick) => (
        <path key={tick} class="grid" d={`M${placeOf(axis, tick)} 0v24`} />
      ))}
      {(low !== null || high !== null) && <path class="span" d={spanOf(axis, low, high)} />}
      {rating !== null && <circle cx={placeOf(axis, rating)} cy="12" r="4.5" />}
    </svg>
  )
}

/** The interval in words; one-sided where only one end is known. */
export function intervalText({ low, high }: Interval): string | null {
  if (low !== null && high !== null) return `${rounded(low)} – ${rounded(high)}`
  if (low !== null) return `over ${rounded(low)}`
  return high === null ? null : `under ${rounded(high)}`
}
