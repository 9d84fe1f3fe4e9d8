import { type ActionMapping, mapped, unsupported } from './action.ts'

/** The tree already stands in the workspace; another repository, reference or folder cannot be had offline. */
export const checkout: ActionMapping = {
  actions: ['actions/checkout', 'taiki-e/checkout-action'],
  map(call) {
    const { repository, path, ref, submodules } = call.with
    if (repository) return unsupported(`checkout of another repository (${repository}) needs the network`)
    if (path && path !== '.') return unsupported(`checkout into the folder ${path} is not supported`)
    if (ref && !call.refs.includes(ref))
      return unsupported(`checkout of the reference ${ref} is not supported`)
    if (submodules && submodules !== 'false' && call.readFile('.gitmodules') !== undefined) {
      return unsupported('checkout of submodules needs the network')
    }
    return mapped('the tree stands in the workspace; no checkout was run')
  },
}
