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
  readonly adapterOf: (language: LanguageId) => LanguageAdapter
  /** Keeps bytes by content: logs. */
  readonly putBlob: (bytes: Uint8Array) => Promise<Digest>
  /** A new unique name of letters, digits and dashes. */
  readonly newId: () => string
  readonly onEvent?: OnEvent
}
