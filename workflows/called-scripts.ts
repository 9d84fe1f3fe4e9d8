import { commandsOf } from './commands.ts'
import { makeRecipes } from './make-recipes.ts'

/** The tree as far as a script that calls others hangs on it. */
export interface ScriptContext {
  /** Reads a file of the tree, undefined when there is none. */
  readonly readFile: (path: string) => string | undefined
  /** The script's folder in the tree; empty for its root. */
  readonly folder?: string
}

export interface CalledScript {
  readonly text: string
  /** The folder that it runs in. */
  readonly folder: string
}

/** How many scripts that call each other are followed. */
const DEPTH = 4

/**
 * The shell scripts and make targets of the tree that a script calls, and those that they call, each before what it calls
 * itself. Pure.
 */
export function calledScripts(script: string, context: ScriptContext): readonly CalledScript[] {
  return follow(script, context, DEPTH)
}

function follow(script: string, context: ScriptContext, depth: number): readonly CalledScript[] {
  if (depth === 0) return []
  let folder = context.folder ?? ''
  return commandsOf(script).flatMap((words) => {
    const next = folderAfter(words, folder)
    if (next !== undefined) {
      folder = next
      return []
    }
    const called = calledScript(words, { ...context, folder })
    return called ? [called, ...follow(called.text, { ...context, folder: called.folder }, depth - 1)] : []
  })
}

/** The folder after `cd FOLDER`; undefined for any other command. */
export function folderAfter(words: readonly string[], folder: string): string | undefined {
  const [first, second] = words
  return first === 'cd' && second !== undefined && /^[\w./-]+$/.test(second)
    ? joined(folder, second)
    : undefined
}

/** The script or make target of the tree that a command calls; undefined when it calls none. */
export function calledScript(words: readonly string[], context: ScriptContext): CalledScript | undefined {
  const folder = context.folder ?? ''
  const [first = ''] = words
  if (first === 'make' || first === 'gmake') return calledMake(words.slice(1), folder, context)
  const isShell = /^(ba|da|z)?sh$/.test(first) || first === 'source' || first === '.'
  const path = isShell ? words.slice(1).find((word) => !word.startsWith('-')) : first
  if (path === undefined || !/^[\w./-]+$/.test(path)) return undefined
  if (!isShell && !path.includes('/')) return undefined
  const text = context.readFile(joined(folder, path))
  const shebang = /^#!.*\b(ba|da|z)?sh\b/.test(text ?? '')
  if (text === undefined || !(shebang || (isShell && !text.startsWith('#!')))) return undefined
  return { text, folder }
}

/** Options of make whose value is a word of its own. */
const WITH_VALUE = /^(-[CfIojlW]|--(directory|file|makefile|include-dir|jobs|load-average))$/

function calledMake(
  words: readonly string[],
  folder: string,
  context: ScriptContext,
): CalledScript | undefined {
  let place = folder
  let file: string | undefined
  const targets: string[] = []
  const given: Record<string, string> = {}
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    const value = WITH_VALUE.test(word) ? words[index + 1] : undefined
    // `-j` alone is followed by a target.
    if (word === '-j' && !/^\d+$/.test(value ?? '')) continue
    if (value !== undefined) index += 1
    if (word === '-C' || word === '--directory') place = joined(place, value ?? '')
    else if (word === '-f' || word === '--file' || word === '--makefile') file = value
    else if (/^[A-Za-z_]\w*=/.test(word))
      given[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1)
    else if (!word.startsWith('-')) targets.push(word)
  }
  const makefile = (file === undefined ? ['GNUmakefile', 'makefile', 'Makefile'] : [file])
    .map((name) => context.readFile(joined(place, name)))
    .find((found) => found !== undefined)
  return makefile === undefined ? undefined : { text: makeRecipes(makefile, targets, given), folder: place }
}

function joined(folder: string, path: string): string {
  const parts: string[] = []
  for (const part of `${path.startsWith('/') ? '' : `${folder}/`}${path}`.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
