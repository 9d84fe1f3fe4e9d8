import { type Edge, strongComponents } from './connectivity.ts'

/**
 * What decisive battles say about a competitor's distance to the centre. `both`: each lost, through others, to the other.
 * `at-least`: nobody on the way from the centre ever beat it, so that only a lower bound is known; `at-most`: the other way
 * round; `none`: no chain of decisive battles joins them, either way.
 */
export type Bounded = 'both' | 'at-least' | 'at-most' | 'none'

function reachable(from: ReadonlySet<string>, edges: readonly Edge[]): ReadonlySet<string> {
  const next = new Map<string, string[]>()
  for (const [winner, loser] of edges) {
    const losers = next.get(winner)
    if (losers) losers.push(loser)
    else next.set(winner, [loser])
  }
  const seen = new Set(from)
  const open = [...from]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const to of next.get(at) ?? [])
      if (!seen.has(to)) {
        seen.add(to)
        open.push(to)
      }
  return seen
}

export interface Separation {
  /** The members of the centre among whom distances are known: those in one strongly connected group. */
  readonly centre: readonly string[]
  readonly bounds: ReadonlyMap<string, Bounded>
}

/**
 * Which distances to the centre the decisive battles bound. Where the centre itself falls apart, its largest group stands
 * for it, by name when that is a tie. A centre without any decisive battle bounds nothing.
 */
export function separate(
  competitors: readonly string[],
  beats: readonly Edge[],
  centre: readonly string[],
): Separation {
  const wanted = new Set(centre)
  const groups = strongComponents(beats)
    .map((group) => ({ group, inCentre: group.filter((name) => wanted.has(name)) }))
    .filter(({ inCentre }) => inCentre.length > 0)
    .sort(
      (a, b) =>
        b.inCentre.length - a.inCentre.length || ((a.inCentre[0] ?? '') < (b.inCentre[0] ?? '') ? -1 : 1),
    )
  const core = groups[0]
  if (!core) return { centre, bounds: new Map(competitors.map((name) => [name, 'none'])) }
  const group = new Set(core.group)
  const below = reachable(group, beats)
  const above = reachable(
    group,
    beats.map(([winner, loser]): Edge => [loser, winner]),
  )
  const boundOf = (name: string): Bounded => {
    if (group.has(name)) return 'both'
    if (above.has(name)) return 'at-least'
    return below.has(name) ? 'at-most' : 'none'
  }
  return { centre: core.inCentre, bounds: new Map(competitors.map((name) => [name, boundOf(name)])) }
}
