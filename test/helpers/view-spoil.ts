import type { RoundView } from '../../src/schema/view.ts'
import { HOSTILE } from './view-texts.ts'

/** Fields whose text a model, a repository or its tests choose. */
const CHOSEN_BY_OTHERS = new Set([
  'case',
  'commands',
  'detail',
  'error',
  'file',
  'flags',
  'forged',
  'found',
  'given',
  'issue',
  'leg',
  'message',
  'name',
  'notes',
  'path',
  'process',
  'prompt',
  'promptVersion',
  'reason',
  'reasoning',
  'repository',
  'reviewerLabel',
  'signal',
  'stopReason',
  'submitterLabel',
  'suite',
  'text',
  'uses',
  'voidBecause',
])

const HOSTILE_DIFF = `diff --git a/${HOSTILE.split('\n')[0]} b/x
new file mode 100644
--- /dev/null
+++ b/${HOSTILE.split('\n')[1]}
@@ -0,0 +1,${HOSTILE.split('\n').length + 1} @@ ${HOSTILE.split('\n')[2]}
${HOSTILE.split('\n')
  .map((line) => `+${line}`)
  .join('\n')}
+${'x'.repeat(20_000)}
`

function spoilt(value: unknown, key: string): unknown {
  if (key === 'applied') return HOSTILE_DIFF
  if (typeof value === 'string') return CHOSEN_BY_OTHERS.has(key) ? HOSTILE : value
  if (Array.isArray(value)) return value.map((item) => spoilt(item, key))
  if (value === null || typeof value !== 'object') return value
  const isForfeit = 'kind' in value && value.kind === 'forfeit'
  return Object.fromEntries(
    // The reason of a forfeit is one of the judge's own words.
    Object.entries(value).map(([name, member]) => [
      name,
      isForfeit && name === 'reason' ? member : spoilt(member, name),
    ]),
  )
}

/** The view with hostile text in every field that is chosen by others; the judge's own words stay. */
export const spoil = (view: RoundView): RoundView => spoilt(view, '') as RoundView
