import { type ActionCall, type ActionMapping, mapped, unsupported } from './action.ts'
import { askVersion } from './version-spec.ts'

export const setupPython: ActionMapping = {
  actions: ['actions/setup-python'],
  map(call) {
    const asked = askedVersions(call)
    if (typeof asked === 'string') return unsupported(asked)
    if (call.with.architecture && call.with.architecture !== 'x64') {
      return unsupported(`python for ${call.with.architecture} not found; x64 is at hand`)
    }
    const notes: string[] = []
    let version = ''
    // Several versions may be listed; all are set up and the last one is first on PATH.
    for (const range of asked) {
      const answer = askVersion(call.tools, 'python', 'python', range, call.substitute)
      if (answer.kind === 'missing') return unsupported(answer.reason)
      notes.push(answer.note)
      version = answer.version
    }
    if (call.with.cache) notes.push(`cache of ${call.with.cache} is off`)
    const python = call.tools.python?.path ?? ''
    return mapped('', {
      env: { pythonLocation: python.replace(/\/bin\/[^/]*$/, '') },
      outputs: { 'python-version': version, 'python-path': python, 'cache-hit': 'false' },
      notes,
    })
  },
}

/** The ranges asked for, `*` when none is; or why they cannot be read. */
function askedVersions(call: ActionCall): readonly string[] | string {
  const written = lines(call.with['python-version'] ?? '')
  if (written.length > 0) return written
  const file = call.with['python-version-file'] ?? '.python-version'
  const text = call.readFile(file)
  if (text === undefined) {
    return call.with['python-version-file'] ? `python-version-file ${file} is not in the tree` : ['*']
  }
  if (file.endsWith('.toml')) {
    const range = /^\s*requires-python\s*=\s*["']([^"']+)["']/m.exec(text)?.[1]
    return range === undefined ? `${file} names no requires-python` : [range]
  }
  return lines(text.replaceAll(/#.*$/gm, ''))
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
