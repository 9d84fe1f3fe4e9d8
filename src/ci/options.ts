import type { LanguageAdapter } from '../../languages/adapter.ts'
import type { OnEvent } from '../schema/event.ts'
import type { Digest } from '../schema/ids.ts'
import type { LanguageId } from '../schema/language.ts'
import type { Limits, Runner } from './runners/port.ts'
import type { Toolchains } from './toolchains.ts'

/** Wall clock in milliseconds. Passing one is a result, never an error. */
export interface Timeouts {
  /** One workflow step; a shorter `timeout-minutes` of the workflow holds. */
  readonly stepMs: number
  /** The build of one test file. */
  readonly buildMs: number
  /** One case of a test file. */
  readonly caseMs: number
}

/** The warm phase: what set-up steps fetch, before any candidate's code is there. */
export interface WarmOptions {
  /**
   * The address to connect to for a host that a set-up step asks for. Throws when it may not be reached: what runs is the
   * repository's own, and as hostile as any other.
   */
  readonly addressOf: (host: string) => Promise<string>
  /** Ports that may be reached. */
  readonly ports: readonly number[]
  /** Bytes that one leg may fetch. */
  readonly fetchBytes: number
  /** Files and folders of the host that the warm phase sees besides: certificates, settings of registries. */
  readonly binds: Toolchains['binds']
  /** Variables of the warm phase, in place of those that keep tools offline. */
  readonly env: Readonly<Record<string, string>>
  /** Host folder of the kept layers, which outlives the process. */
  readonly folder: string
  /** Bytes on disk that kept layers may take; the least recently used go first. */
  readonly layerBytes: number
  /** Whether a kept layer may be used; else it is made anew. */
  readonly reuse: boolean
}

export interface CiOptions {
  readonly runner: Runner
  readonly toolchains: Toolchains
  /** Host folder with the wrappers and plugins that the language adapters name; bound read-only. */
  readonly toolsFolder: string
  /** Host folder of this process alone: layers after set-up and shared folders. Emptied by close(). */
  readonly workFolder: string
  readonly limits: Limits
  readonly timeouts: Timeouts
  /** Bytes of output kept of one step, build or case. */
  readonly outputBytes: number
  /** What the sentinels' names hang on, unknown to every competitor; no part of the environment's digest. */
  readonly secret: string
  /** Sandboxes open at once. */
  readonly parallel: number
  /** Bytes on disk that layers after set-up may take; the least recently used go first and are built again when needed. */
  readonly layerBytes: number
  /** Run with the tool version at hand where another is asked for, and say so. */
  readonly substitute?: boolean
  /** Absent: no sandbox ever reaches a network. Else those of tasks that ask for it, in their warm phase. */
  readonly warm?: WarmOptions
  /** Host folder with other repositories' actions and workflows, each in `owner/name@ref`. */
  readonly actionsFolder?: string
  /** Whether JavaScript actions run whose source is at hand; absent: no. */
  readonly javascript?: boolean
  readonly adapterOf: (language: LanguageId) => LanguageAdapter
  /** Keeps bytes by content: logs. */
  readonly putBlob: (bytes: Uint8Array) => Promise<Digest>
  /** A new unique name of letters, digits and dashes. */
  readonly newId: () => string
  readonly onEvent?: OnEvent
}
