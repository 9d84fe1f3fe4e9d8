/** A tool that the sandbox offers: found on the host, bound read-only. */
export interface Tool {
  readonly version: string
  /** Path inside the sandbox. */
  readonly path: string
}

/** The local toolchains: what is bound into every sandbox, and the environment that makes them work there. */
export interface Toolchains {
  readonly binds: readonly { readonly host: string; readonly inside: string }[]
  /** Folders for PATH inside, first wins. */
  readonly path: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** By name: `python`, `pytest`, `go`, `cargo`, `rustc`, `cmake`, `ctest`, `c++`, `git`, `bash`. Absent when not at hand. */
  readonly tools: Readonly<Record<string, Tool>>
  /** SHA-256 over versions and paths: part of the environment digest. */
  readonly digest: string
}
