import { type ActionMapping, mapped } from './action.ts'

/** Services that only receive what a run made: nothing leaves the sandbox, and no later step reads it. */
export const upload: ActionMapping = {
  actions: [
    'actions/upload-artifact',
    'codecov/codecov-action',
    'coverallsapp/github-action',
    'codecov/test-results-action',
  ],
  map: (call) => mapped(`${call.action} was not run: nothing is uploaded`),
}
