import { type ActionMapping, mapped, unsupported } from './action.ts'

export const setupNinja: ActionMapping = {
  actions: ['seanmiddleditch/gha-setup-ninja', 'ashutoshvarma/setup-ninja'],
  map(call) {
    const ninja = call.tools.ninja
    if (!ninja) return unsupported('ninja not found')
    return mapped(`ninja ${ninja.version} is at hand`)
  },
}
