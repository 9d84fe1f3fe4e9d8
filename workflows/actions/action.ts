import type { StepClass } from '../step-class.ts'

/** A tool of the sandbox, by its version: as the toolchains name it (`python`, `go`, `rustc`, `cmake`, …). */
export type ToolVersions = Readonly<Record<string, { readonly version: string; readonly path: string }>>

export interface ActionCall {
  /** `actions/checkout` of `actions/checkout@v4`. */
  readonly action: string
  /** `v4`; empty when none was given. */
  readonly ref: string
  readonly with: Readonly<Record<string, string>>
  /** The workflow's, job's and step's env at this step. */
  readonly env: Readonly<Record<string, string>>
  readonly tools: ToolVersions
  /** Names of the commit that stands in the workspace: its reference, branch and id. */
  readonly refs: readonly string[]
  /** Reads a file of the tree, undefined when there is none. */
  readonly readFile: (path: string) => string | undefined
  /** Run with the version at hand instead of the asked one, and say so. */
  readonly substitute: boolean
  /** Whether a warm phase has a network, so that tools may be fetched. */
  readonly fetches?: boolean
}

/** What an action does with files beyond its own job. Paths are patterns, one a line, relative to the workspace. */
export type StoreCommand =
  | {
      readonly kind: 'upload'
      readonly name: string
      readonly paths: string
      readonly ifNoFiles: 'warn' | 'error' | 'ignore'
      /** Whether files count whose name begins with a dot. */
      readonly withHidden: boolean
      readonly overwrites: boolean
    }
  | {
      readonly kind: 'download'
      /** Null for every artifact that `pattern` takes. */
      readonly name: string | null
      readonly pattern: string
      readonly path: string
      /** Whether several artifacts go into one folder, not each into a folder of its name. */
      readonly merge: boolean
    }
  | {
      readonly kind: 'restore'
      readonly key: string
      readonly restoreKeys: readonly string[]
      readonly paths: string
      readonly failOnMiss: boolean
      /** Whether the job's end saves what the key did not find. */
      readonly savesAtEnd: boolean
    }
  | { readonly kind: 'save'; readonly key: string; readonly paths: string }

/** What an action does here: nothing but this; or why it cannot be done. */
export type ActionEffect =
  | {
      readonly kind: 'mapped'
      readonly env: Readonly<Record<string, string>>
      readonly path: readonly string[]
      readonly outputs: Readonly<Record<string, string>>
      /** What the arena did instead of the action, in words for the run's page. */
      readonly notes: readonly string[]
      readonly store?: StoreCommand
    }
  | {
      /** A bash script stands in for the action, and runs where its class says. */
      readonly kind: 'script'
      readonly script: string
      readonly class: StepClass
      readonly env: Readonly<Record<string, string>>
      readonly notes: readonly string[]
    }
  | { readonly kind: 'unsupported'; readonly reason: string }

/** One file an action: the names under which it is used, and what it does here. Pure. */
export interface ActionMapping {
  /** `owner/name`, lower case. */
  readonly actions: readonly string[]
  map(call: ActionCall): ActionEffect
}

export const mapped = (
  note: string,
  effect: Partial<Omit<Extract<ActionEffect, { kind: 'mapped' }>, 'kind'>> = {},
): ActionEffect => ({ kind: 'mapped', env: {}, path: [], outputs: {}, notes: [note], ...effect })

/** `what` is fetched by the script; without a network there is nothing in its place. */
export const fetched = (
  call: ActionCall,
  what: string,
  script: string,
  env: Readonly<Record<string, string>> = {},
): ActionEffect =>
  call.fetches
    ? { kind: 'script', script, class: 'warm', env, notes: [`${what} is fetched in the warm phase`] }
    : unsupported(`${what} not found, and no network to fetch it`)

export const unsupported = (reason: string): ActionEffect => ({ kind: 'unsupported', reason })

/** One word of a shell script. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
