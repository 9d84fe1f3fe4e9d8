import { commandClass } from './command-class.ts'
import { commandsOf } from './commands.ts'

/**
 * Where a step runs. `warm`: it only installs, with the network, before any other code is there, and is not run again.
 * `offline`: it needs no network. `both`: it builds or runs the tree and fetches what that needs on the way, so it runs with
 * the network once, and again without.
 */
export type StepClass = 'warm' | 'offline' | 'both'

/** The tree as far as a class hangs on it. */
export interface ClassContext {
  /** Reads a file of the tree, undefined when there is none. */
  readonly readFile: (path: string) => string | undefined
  /** The step's folder in the tree; empty for its root. */
  readonly folder?: string
}

/** How many scripts that call each other are followed. */
const DEPTH = 4

/** The class of a script from its commands; scripts and make targets of the tree are followed. Pure. */
export function scriptClass(script: string, context: ClassContext): StepClass {
  return joinClasses(classesIn(script, context, 0))
}

/** The class of several commands or steps as one: what only installs and what also works make `both`. */
export function joinClasses(classes: readonly (StepClass | null)[]): StepClass {
  const known = new Set(classes)
  if (known.has('both') || (known.has('warm') && known.has('offline'))) return 'both'
  return known.has('warm') ? 'warm' : 'offline'
}

/** A class for each command; null for one that only prepares the shell. */
function classesIn(script: string, context: ClassContext, depth: number): (StepClass | null)[] {
  let folder = context.folder ?? ''
  return commandsOf(script).map((words) => {
    if (words[0] === 'cd' && words[1] !== undefined && /^[\w./-]+$/.test(words[1])) {
      folder = joined(folder, words[1])
      return null
    }
    const inside = { ...context, folder }
    return calledClass(words, inside, depth) ?? commandClass(words, { ...context, folder })
  })
}

/** The class of a script or make target of the tree that a command calls; undefined when it calls none. */
function calledClass(words: readonly string[], context: ClassContext, depth: number): StepClass | undefined {
  if (depth >= DEPTH) return undefined
  const folder = context.folder ?? ''
  const [first = ''] = words
  if (first === 'make' || first === 'gmake') {
    const inner = words.indexOf('-C')
    const place = inner > 0 ? joined(folder, words[inner + 1] ?? '') : folder
    const text = ['GNUmakefile', 'makefile', 'Makefile']
      .map((name) => context.readFile(joined(place, name)))
      .find((found) => found !== undefined)
    return text === undefined
      ? undefined
      : joinClasses(classesIn(recipesOf(text), { ...context, folder: place }, depth + 1))
  }
  const isShell = /^(ba|da|z)?sh$/.test(first) || first === 'source' || first === '.'
  const path = isShell ? words.slice(1).find((word) => !word.startsWith('-')) : first
  if (path === undefined || !/^[\w./-]+$/.test(path)) return undefined
  if (!isShell && !path.includes('/')) return undefined
  const text = context.readFile(joined(folder, path))
  const shebang = /^#!.*\b(ba|da|z)?sh\b/.test(text ?? '')
  if (text === undefined || !(shebang || (isShell && !text.startsWith('#!')))) return undefined
  return joinClasses(classesIn(text, context, depth + 1))
}

/** All recipe lines of a Makefile: which targets a target needs is not followed, so its class may be too wide. */
const recipesOf = (makefile: string): string =>
  makefile
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('\t'))
    .map((line) =>
      line.replace(/^\t[@+-]*/, '').replace(/\$\(([A-Z_]+)\)/g, (_, name: string) => name.toLowerCase()),
    )
    .join('\n')

function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${path.startsWith('/') ? '' : `${folder}/`}${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
