import type { ActionCall, ActionEffect, ActionMapping } from './action.ts'
import { unsupported } from './action.ts'
import { allsGreen } from './alls-green.ts'
import { downloadArtifact, uploadArtifact } from './artifacts.ts'
import { cache, rustCache } from './cache.ts'
import { checkout } from './checkout.ts'
import { cmakeAction } from './cmake-action.ts'
import { getCmake } from './get-cmake.ts'
import { golangciLint } from './golangci-lint.ts'
import { installTools } from './install-tools.ts'
import { otherSystems } from './other-systems.ts'
import { reports } from './reports.ts'
import { rustToolchain } from './rust-toolchain.ts'
import { setupClang } from './setup-clang.ts'
import { setupGo } from './setup-go.ts'
import { setupNinja } from './setup-ninja.ts'
import { setupPython } from './setup-python.ts'
import { setupUv } from './setup-uv.ts'

/** The actions that have a native mapping. A new one is a small file and a line here. */
const MAPPINGS: readonly ActionMapping[] = [
  checkout,
  setupPython,
  setupGo,
  rustToolchain,
  getCmake,
  cmakeAction,
  setupNinja,
  setupClang,
  setupUv,
  installTools,
  golangciLint,
  cache,
  rustCache,
  uploadArtifact,
  downloadArtifact,
  otherSystems,
  reports,
  allsGreen,
]

const BY_NAME = new Map(
  MAPPINGS.flatMap((mapping) => mapping.actions.map((name) => [name, mapping] as const)),
)

/** Whether an action has a mapping at all, whatever it is given. */
export const isMapped = (uses: string): boolean => BY_NAME.has((uses.split('@')[0] ?? '').toLowerCase())

/** Why an action that is neither mapped nor at hand cannot be used. */
export function unknownAction(uses: string): string {
  if (uses.startsWith('docker://')) return `container action ${uses} has no mapping`
  if (/^[.$]\//.test(uses)) return `local action ${uses} is not in the tree`
  return `action ${uses} has no mapping`
}

/** What `uses: owner/name@ref` does here. An action without a mapping is unsupported, never a silent success. */
export function mapAction(uses: string, call: Omit<ActionCall, 'action' | 'ref'>): ActionEffect {
  const [action = '', ref = ''] = uses.split('@')
  const mapping = BY_NAME.get(action.toLowerCase())
  return mapping
    ? mapping.map({ ...call, action: action.toLowerCase(), ref })
    : unsupported(unknownAction(uses))
}
