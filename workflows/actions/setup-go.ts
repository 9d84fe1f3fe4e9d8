import { type ActionCall, type ActionMapping, mapped, unsupported } from './action.ts'
import { askVersion } from './version-spec.ts'

export const setupGo: ActionMapping = {
  actions: ['actions/setup-go'],
  map(call) {
    const asked = askedVersion(call)
    if ('reason' in asked) return unsupported(asked.reason)
    const answer = askVersion(call.tools, 'go', 'go', asked.range, call.substitute)
    if (answer.kind === 'missing') return unsupported(answer.reason)
    return mapped(answer.note, { outputs: { 'go-version': answer.version, 'cache-hit': 'false' } })
  },
}

function askedVersion(call: ActionCall): { readonly range: string } | { readonly reason: string } {
  const written = call.with['go-version']?.trim()
  // `stable` and `oldstable` are whatever is at hand: there is no list of releases offline.
  if (written) return { range: /^(stable|oldstable)$/.test(written) ? '*' : written }
  const file = call.with['go-version-file']
  if (!file) return { range: '*' }
  const text = call.readFile(file)
  if (text === undefined) return { reason: `go-version-file ${file} is not in the tree` }
  return rangeInFile(file, text)
}

/** go.mod states the least version that is needed; a newer one at hand is right, as Go itself reads it. */
function rangeInFile(file: string, text: string): { readonly range: string } | { readonly reason: string } {
  if (!/(^|\/)go\.(mod|work)$/.test(file)) return { range: text.trim().replace(/^go/, '') }
  const least = /^toolchain\s+go(\d+(?:\.\d+)*)/m.exec(text)?.[1] ?? /^go\s+(\d+(?:\.\d+)*)/m.exec(text)?.[1]
  return least === undefined ? { reason: `${file} names no go version` } : { range: `>=${least}` }
}
