import { type ActionMapping, mapped } from './action.ts'

/** Actions that look at the system first and do nothing on Linux. */
export const otherSystems: ActionMapping = {
  actions: ['ilammy/msvc-dev-cmd'],
  map: (call) => mapped(`${call.action} does nothing on Linux`),
}
