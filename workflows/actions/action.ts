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
}

/** What an action does here: nothing but this; or why it cannot be done. */
export type ActionEffect =
  | {
      readonly kind: 'mapped'
      readonly env: Readonly<Record<string, string>>
      readonly path: readonly string[]
      readonly outputs: Readonly<Record<string, string>>
      /** What the arena did instead of the action, in words for the run's page. */
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

export const unsupported = (reason: string): ActionEffect => ({ kind: 'unsupported', reason })
