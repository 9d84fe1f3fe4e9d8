import type { EnforcedLimit, InfraEvidence, SandboxName } from '../../schema/ci-run.ts'
import type { FileChange } from '../../schema/tree.ts'
import type { Toolchains } from '../toolchains.ts'

/** The home folder inside every sandbox; the repository is below it, as on GitHub's runners. */
export const HOME_INSIDE = '/home/runner'
/** Scripts, environment files and reports: host folder `io` of the spec, writable inside. */
export const IO_INSIDE = '/arena/io'
/** Wrappers and plugins of the arena: read-only inside. */
export const TOOLS_INSIDE = '/arena/tools'

/** The fetch proxy's port on the loopback of a sandbox that may fetch. */
export const PROXY_PORT = 3128
export const PROXY_URL = `http://127.0.0.1:${PROXY_PORT}`

/** Where the repository stands inside the sandbox. */
export const repoInside = (repoName: string): string => `${HOME_INSIDE}/work/${repoName}/${repoName}`
/** Where the repository stands inside a layer folder; the sandbox's home is `home/`, its /tmp is `tmp/`. */
export const repoInLayer = (repoName: string): string => `home/work/${repoName}/${repoName}`

export interface Limits {
  /** Memory including swap, in MiB, of everything in the sandbox together. */
  readonly memoryMiB: number
  readonly pids: number
  /** CPU cores' worth of time. */
  readonly cpus: number
  /** What may be written on top of the layers, in MiB. */
  readonly diskMiB: number
}

export interface SandboxSpec {
  /** Unique: names and labels carry it, so that leftovers of a killed process are found. Letters, digits, dashes. */
  readonly id: string
  /**
   * Layer folders, uppermost first, each with `home/` and `tmp/`; never written. The top of the stack is the sandbox's own.
   * As root their files are given to the sandbox's user once (ci/layers.ts).
   */
  readonly layers: readonly string[]
  readonly repoName: string
  readonly toolchains: Toolchains
  /** Host folder with the arena's wrappers, bound read-only at TOOLS_INSIDE. */
  readonly tools: string
  /**
   * Host folder, made by the caller, bound read-write at IO_INSIDE. As root a small file system lies over it from open to
   * close, so read it before close. What is in it is hostile: see ci/io-folder.ts.
   */
  readonly io: string
  readonly limits: Limits
  /**
   * Socket of a fetch proxy on the host: then the sandbox's loopback has the proxy at PROXY_URL, and still no other network.
   * Only for what runs before any candidate's code is there.
   */
  readonly fetchSocket?: string | undefined
}

export interface ExecRequest {
  readonly argv: readonly string[]
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  /** Absolute path inside the sandbox. */
  readonly cwd: string
  /** Wall clock in milliseconds; passing it is a result (`timedOut`), not an error. */
  readonly timeoutMs: number
  /** Bytes of output kept: the first quarter and the last three quarters. */
  readonly outputBytes: number
  readonly signal?: AbortSignal
  readonly onOutput?: (chunk: Buffer) => void
}

export interface ExecResult {
  /** From the kernel or the daemon; null when ended by a signal, or with 128 + n, which shells say for signal n. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly output: Buffer
  readonly droppedBytes: number
  readonly timedOut: boolean
  /** The kernel's own count says that a process was killed for memory during this call. */
  readonly outOfMemory: boolean
  readonly durationMs: number
}

/** What is written down as the network of a sandbox. */
export const networkLimit = ({ fetchSocket }: Pick<SandboxSpec, 'fetchSocket'>): string =>
  fetchSocket === undefined ? 'none but loopback' : 'loopback and a fetch proxy'

/** A broken sandbox throws RunnerUnavailableError from any of these; a failing command is a value. */
export interface Sandbox {
  readonly limits: readonly EnforcedLimit[]
  /**
   * Runs one command, after earlier calls have ended; every process it leaves behind is killed before it returns. Throws the
   * signal's reason when it was aborted.
   */
  exec(request: ExecRequest): Promise<ExecResult>
  /** Writes whole files into the repository as the sandbox's user; never through a symlink that leads outside. */
  writeFiles(changes: readonly FileChange[]): Promise<void>
  /** Copies what was written on top of the layers into a new folder, which can be used as the next sandbox's upmost layer. */
  snapshot(folder: string): Promise<void>
  usage(): Promise<{ readonly cpuMs: number | null; readonly peakMemoryMiB: number | null }>
  /** Kills everything inside and removes mounts, groups, containers and folders. Never throws for a candidate's doing. */
  close(): Promise<void>
}

export interface RunnerProbe {
  readonly ok: boolean
  /** One line: version and what enforces which limit, or what is missing. */
  readonly detail: string
  readonly remedy: string | null
  readonly limits: readonly EnforcedLimit[]
}

export interface Runner {
  readonly name: SandboxName
  probe(): Promise<RunnerProbe>
  open(spec: SandboxSpec): Promise<Sandbox>
  /** Removes what processes that no longer live left behind; returns how many sandboxes that were. */
  sweep(): Promise<number>
}

/** Evidence for the judge from a runner's own error. */
export const sandboxEvidence = (message: string): InfraEvidence => ({ source: 'sandbox', message })
