import { type ActionCall, type ActionMapping, fetched, mapped, unsupported } from './action.ts'

/** Tools of the install actions that are crates under another name than their own. */
const CRATES: Readonly<Record<string, string>> = {
  nextest: 'cargo-nextest',
  'cargo-nextest': 'cargo-nextest',
  typos: 'typos-cli',
  zola: 'zola',
  just: 'just',
  mdbook: 'mdbook',
  hyperfine: 'hyperfine',
  tokei: 'tokei',
  cross: 'cross',
  'wasm-pack': 'wasm-pack',
  sccache: 'sccache',
  lychee: 'lychee',
  'parse-changelog': 'parse-changelog',
}

/** Tools by name: at hand, or built from their crate in the warm phase. */
export const installTools: ActionMapping = {
  actions: ['taiki-e/install-action', 'dtolnay/install', 'baptiste0928/cargo-install'],
  map(call) {
    const wanted = toolsOf(call)
    if (wanted.length === 0) return unsupported(`${call.action} names no tool`)
    const missing = wanted.filter(({ name }) => !(name in call.tools))
    if (missing.length === 0) return mapped(`${wanted.map(({ name }) => name).join(', ')} at hand`)
    const strange = missing.find(({ name }) => crateOf(name) === undefined)
    if (strange) return unsupported(`${strange.name} not found, and no crate of that name is known`)
    const lines = missing.map(
      ({ name, version }) =>
        `cargo install --locked --quiet ${crateOf(name)}${version === '' ? '' : ` --version '${version}'`}\n`,
    )
    return fetched(call, missing.map(({ name }) => name).join(', '), `${lines.join('')}${ON_PATH}`)
  },
}

const ON_PATH = `echo "\${CARGO_HOME:-$HOME/.cargo}/bin" >> "$GITHUB_PATH"\n`

interface WantedTool {
  readonly name: string
  /** Empty for the newest. */
  readonly version: string
}

/** `tool: a,b@1.2` or `crate: a`; else the reference names the tool, as in `taiki-e/install-action@nextest`. */
function toolsOf(call: ActionCall): readonly WantedTool[] {
  const written =
    call.with.tool ??
    call.with.crate ??
    (/^(v?\d|main$|master$|[0-9a-f]{40}$)/.test(call.ref) ? '' : call.ref)
  return written
    .split(/[\s,]+/)
    .filter((word) => /^[\w.@-]+$/.test(word))
    .map((word) => {
      const [name = '', version = call.with.version ?? ''] = word.split('@')
      return { name, version: /^\d+\.\d+\.\d+/.test(version) ? version : '' }
    })
}

const crateOf = (name: string): string | undefined =>
  name.startsWith('cargo-') ? name : Object.hasOwn(CRATES, name) ? CRATES[name] : undefined
