import type { ActionFile } from './action-file.ts'
import type { AtHand } from './plan-step.ts'

/** Why a JavaScript action whose source is at hand does not run; undefined when it does. */
export function refusedJavaScript(uses: string, file: ActionFile, atHand: AtHand): string | undefined {
  if (!/^node\d+$/.test(file.using) || file.main === null)
    return `${file.using} action ${uses} has no mapping`
  if (!atHand.javascript) return `${file.using} action ${uses} has no mapping, and JavaScript actions are off`
  return atHand.tools.node ? undefined : 'node not found'
}

/** What runs it: a script for `node` that looks for the action at GITHUB_ACTION_PATH. */
export const javaScriptOf = (file: ActionFile): string =>
  `const path = require('node:path').join(require('node:process').env.GITHUB_ACTION_PATH, ${JSON.stringify(file.main ?? '')})
import(require('node:url').pathToFileURL(path).href)
`

/** How the action sees an input: upper case, blanks as underscores, as the toolkit reads it. */
export const inputVariable = (name: string): string => `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`
