import { type ActionMapping, quoted, unsupported } from './action.ts'

/** A linter of its own version and rules: only the one that is at hand. */
export const golangciLint: ActionMapping = {
  actions: ['golangci/golangci-lint-action'],
  map(call) {
    const tool = call.tools['golangci-lint']
    if (!tool) return unsupported('golangci-lint not found')
    const folder = call.with['working-directory'] ?? ''
    const args = call.with.args ?? ''
    return {
      kind: 'script',
      script: `${folder === '' ? '' : `cd ${quoted(folder)}\n`}golangci-lint run ${args}\n`,
      class: 'both',
      env: {},
      notes: [`golangci-lint ${tool.version} is at hand`],
    }
  },
}
