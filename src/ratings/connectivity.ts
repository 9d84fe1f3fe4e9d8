/** Who met whom, or who beat whom. */
export type Edge = readonly [from: string, to: string]

function neighbours(edges: readonly Edge[]): ReadonlyMap<string, readonly string[]> {
  const next = new Map<string, string[]>()
  for (const [from, to] of edges) {
    next.set(from, [...(next.get(from) ?? []), to])
    if (!next.has(to)) next.set(to, [])
  }
  return next
}

/** Everybody who can be reached from `start`, itself included, in no promised order. */
function reach(
  start: string,
  next: ReadonlyMap<string, readonly string[]>,
  blocked: ReadonlySet<string>,
): string[] {
  const seen = new Set([start])
  const open = [start]
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (const to of next.get(at) ?? [])
      if (!seen.has(to) && !blocked.has(to)) {
        seen.add(to)
        open.push(to)
      }
  return [...seen]
}

const NOBODY: ReadonlySet<string> = new Set()

/** Pools of competitors who met, directly or through others, each sorted, the pools by their first name. */
export function connectedComponents(meetings: readonly Edge[]): readonly (readonly string[])[] {
  const next = neighbours(
    meetings.flatMap(([a, b]): readonly Edge[] => [
      [a, b],
      [b, a],
    ]),
  )
  const placed = new Set<string>()
  return [...next.keys()].sort().flatMap((name) => {
    if (placed.has(name)) return []
    const pool = reach(name, next, NOBODY).sort()
    for (const member of pool) placed.add(member)
    return [pool]
  })
}

/**
 * Strongly connected components of the graph "beats", each sorted. More than one: some group never lost to the rest, and
 * unpenalised strengths have no finite value. Order: every group stands after those that reach it.
 */
export function strongComponents(beats: readonly Edge[]): readonly (readonly string[])[] {
  const forward = neighbours(beats)
  const backward = neighbours(beats.map(([from, to]): Edge => [to, from]))
  // Kosaraju: in the order of finishing, last first, each tree of the reversed graph is a component.
  const finished: string[] = []
  const seen = new Set<string>()
  for (const root of [...forward.keys()].sort()) {
    if (seen.has(root)) continue
    seen.add(root)
    const path = [{ name: root, at: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const to = forward.get(top.name)?.[top.at++]
      if (to === undefined) {
        finished.push(top.name)
        path.pop()
      } else if (!seen.has(to)) {
        seen.add(to)
        path.push({ name: to, at: 0 })
      }
    }
  }
  const placed = new Set<string>()
  return finished.reverse().flatMap((name) => {
    if (placed.has(name)) return []
    const component = reach(name, backward, placed).sort()
    for (const member of component) placed.add(member)
    return [component]
  })
}
