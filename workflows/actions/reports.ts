import { type ActionMapping, mapped } from './action.ts'

/** Services that only receive what a run made: nothing leaves the sandbox, and no later step reads it. */
export const reports: ActionMapping = {
  actions: ['codecov/codecov-action', 'coverallsapp/github-action', 'codecov/test-results-action'],
  map: (call) => mapped(`${call.action} was not run: nothing is uploaded`),
}
