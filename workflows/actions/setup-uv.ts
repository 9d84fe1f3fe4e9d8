import {
  type ActionCall,
  type ActionEffect,
  type ActionMapping,
  fetched,
  mapped,
  unsupported,
} from './action.ts'
import { askVersion, satisfies } from './version-spec.ts'

/** uv comes from the package index, as any Python tool; a Python that is asked for is the one at hand. */
export const setupUv: ActionMapping = {
  actions: ['astral-sh/setup-uv', 'hynek/setup-cached-uv'],
  map(call) {
    const python = (call.with['python-version'] ?? '').trim()
    const answer = python === '' ? null : askVersion(call.tools, 'python', 'python', python, call.substitute)
    if (answer?.kind === 'missing') return unsupported(answer.reason)
    const env: Record<string, string> = answer ? { UV_PYTHON: answer.version } : {}
    return withNotes(uvOf(call, env), answer ? [answer.note] : [])
  },
}

function uvOf(call: ActionCall, env: Readonly<Record<string, string>>): ActionEffect {
  const asked = (call.with.version ?? '').trim()
  const range = asked === '' || asked === 'latest' ? '*' : asked
  const uv = call.tools.uv
  if (uv && (satisfies(uv.version, range) || call.substitute))
    return mapped(`uv ${uv.version} is at hand`, {
      env,
      outputs: { 'uv-version': uv.version, 'uv-path': uv.path, 'cache-hit': 'false' },
    })
  return fetched(call, `uv${asked === '' ? '' : ` ${asked}`}`, install(range), env)
}

/** The index's own range syntax: `0.5.x` is `==0.5.*`. */
function install(range: string): string {
  const exact = /^v?(\d[\d.]*?)(\.x|\.\*)?$/.exec(range)
  const spec =
    range === '*'
      ? ''
      : exact
        ? `==${exact[1]}${exact[2] || /^\d+(\.\d+)?$/.test(exact[1] ?? '') ? '.*' : ''}`
        : range
  return `python -m pip install --quiet 'uv${spec.replaceAll("'", '')}'\n`
}

const withNotes = (effect: ActionEffect, notes: readonly string[]): ActionEffect =>
  effect.kind === 'unsupported' ? effect : { ...effect, notes: [...notes, ...effect.notes] }
