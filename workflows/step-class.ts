import { calledScript, folderAfter, type ScriptContext } from './called-scripts.ts'
import { commandClass } from './command-class.ts'
import { commandsOf } from './commands.ts'

/**
 * Where a step runs. `warm`: it only installs, with the network, before any other code is there, and is not run again.
 * `offline`: it needs no network. `both`: it builds or runs the tree and fetches what that needs on the way, so it runs with
 * the network once, and again without.
 */
export type StepClass = 'warm' | 'offline' | 'both'

/** How many scripts that call each other are followed. */
const DEPTH = 4

/** The class of a script from its commands; scripts and make targets of the tree are followed. Pure. */
export function scriptClass(script: string, context: ScriptContext): StepClass {
  return joinClasses(classesIn(script, context, DEPTH))
}

/** The class of several commands or steps as one: what only installs and what also works make `both`. */
export function joinClasses(classes: readonly (StepClass | null)[]): StepClass {
  const known = new Set(classes)
  if (known.has('both') || (known.has('warm') && known.has('offline'))) return 'both'
  return known.has('warm') ? 'warm' : 'offline'
}

/** A class for each command; null for one that only prepares the shell. */
function classesIn(script: string, context: ScriptContext, depth: number): (StepClass | null)[] {
  let folder = context.folder ?? ''
  return commandsOf(script).map((words) => {
    const next = folderAfter(words, folder)
    if (next !== undefined) {
      folder = next
      return null
    }
    const inside = { ...context, folder }
    const called = depth > 0 ? calledScript(words, inside) : undefined
    return called
      ? joinClasses(classesIn(called.text, { ...context, folder: called.folder }, depth - 1))
      : commandClass(words, inside)
  })
}
