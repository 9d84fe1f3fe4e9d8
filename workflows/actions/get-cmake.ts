import { type ActionMapping, mapped, unsupported } from './action.ts'
import { askVersion } from './version-spec.ts'

export const getCmake: ActionMapping = {
  actions: ['lukka/get-cmake', 'jwlawson/actions-setup-cmake'],
  map(call) {
    const asked = (call.with.cmakeVersion ?? call.with['cmake-version'] ?? '').trim()
    // `latest` and `latestrc` are whatever is at hand: there is no list of releases offline.
    const range = asked === '' || asked.startsWith('latest') ? '*' : asked
    const answer = askVersion(call.tools, 'cmake', 'cmake', range, call.substitute)
    if (answer.kind === 'missing') return unsupported(answer.reason)
    return mapped(answer.note, { outputs: { 'cmake-path': call.tools.cmake?.path ?? '' } })
  },
}
