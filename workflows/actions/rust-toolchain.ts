import { type ActionCall, type ActionMapping, mapped, unsupported } from './action.ts'
import { askVersion } from './version-spec.ts'

const HOST_TARGET = 'x86_64-unknown-linux-gnu'

/** dtolnay's action takes the toolchain from its reference (`@stable`), the others from their input. */
export const rustToolchain: ActionMapping = {
  actions: [
    'dtolnay/rust-toolchain',
    'actions-rs/toolchain',
    'actions-rust-lang/setup-rust-toolchain',
    'moonrepo/setup-rust',
  ],
  map(call) {
    const asked = askedToolchain(call)
    const foreign = splitList(call.with.targets ?? call.with.target ?? '').find(
      (target) => target !== HOST_TARGET,
    )
    if (foreign !== undefined) return unsupported(`rust target ${foreign} is not at hand`)
    const range = /^stable(-x86_64-unknown-linux-gnu)?$/.test(asked) ? '*' : asked
    const answer = askVersion(call.tools, 'rustc', 'rust', asked, call.substitute, range)
    if (answer.kind === 'missing') return unsupported(answer.reason)
    const named = /^(clippy|miri)$/.test(call.ref) ? [call.ref] : []
    const components = [...named, ...splitList(call.with.components ?? '')]
    return mapped('', {
      env: call.action === 'dtolnay/rust-toolchain' ? environmentOf(call) : {},
      outputs: { name: asked, rustc: answer.version, cachekey: answer.version },
      notes: [
        answer.note,
        ...components.map((name) => `component ${name}: only if the toolchain at hand has it`),
      ],
    })
  },
}

function askedToolchain(call: ActionCall): string {
  const input = call.with.toolchain?.trim()
  if (input) return input
  const fromRef = call.action === 'dtolnay/rust-toolchain' && !/^(master|v\d+)$/.test(call.ref)
  if (!fromRef || call.ref === '') return 'stable'
  // Two branches of dtolnay's are named for the component that they add.
  return { clippy: 'stable', miri: 'nightly' }[call.ref] ?? call.ref
}

/** dtolnay's action sets these unless the workflow does. */
function environmentOf(call: ActionCall): Record<string, string> {
  const defaults = { CARGO_INCREMENTAL: '0', CARGO_TERM_COLOR: 'always' }
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => call.env[name] === undefined))
}

const splitList = (text: string): string[] => text.split(/[\s,]+/).filter((word) => word !== '')
