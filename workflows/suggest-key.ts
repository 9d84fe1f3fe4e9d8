const KEYS = [
  ...['name', 'on', 'env', 'defaults', 'jobs', 'permissions', 'concurrency', 'run-name'],
  ...['needs', 'if', 'runs-on', 'strategy', 'matrix', 'include', 'exclude', 'fail-fast', 'max-parallel'],
  ...['outputs', 'timeout-minutes', 'continue-on-error', 'container', 'services', 'uses', 'with', 'secrets'],
  ...['steps', 'id', 'run', 'shell', 'working-directory', 'branches', 'paths', 'tags', 'types'],
]

/** The known key that is one or two edits away from a mistyped one. */
export function suggestKey(key: string): string | undefined {
  const scored = KEYS.map((known) => ({ known, edits: editDistance(key.toLowerCase(), known) }))
  const best = scored.reduce((a, b) => (b.edits < a.edits ? b : a))
  return best.edits <= 2 && best.edits < best.known.length ? best.known : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      )
    }
    row = next
  }
  return row[b.length] ?? 0
}
