import type { Generation } from '../../src/schema/match.ts'
import type { PatchNote } from '../../src/schema/tree.ts'
import type { TestKey } from '../../src/schema/verdict.ts'
import { Calls } from './calls.tsx'
import { ContextView } from './context-view.tsx'
import { Diff } from './diff.tsx'
import { countLines, readDiff } from './diff-lines.ts'
import { Excerpt } from './excerpt.tsx'
import { oneLine } from './visible.ts'
import { FORFEITS, PATCH_FORFEITS } from './words.ts'

interface GenerationProps {
  readonly generation: Generation
  readonly label: string
  readonly whole: string
  readonly killers?: readonly TestKey[]
}

function Notes({ notes }: { readonly notes: readonly PatchNote[] }) {
  if (notes.length === 0) return null
  return (
    <>
      <h3>What was changed in the answer</h3>
      <ul class="notes">
        {notes.map((note) => (
          <li key={`${note.action} ${note.path} ${note.reason}`}>
            <b>{note.action}</b> <code>{oneLine(note.path, 200)}</code> {oneLine(note.reason, 400)}
          </li>
        ))}
      </ul>
    </>
  )
}

function AsGiven({ given, whole }: { readonly given: string; readonly whole: string }) {
  if (given === '') return <p class="note">There is no answer to show.</p>
  return (
    <details>
      <summary>The answer as given</summary>
      <Excerpt text={given} label="Answer as given" whole={whole} />
    </details>
  )
}

/** What a role brought: the diff that was applied, or why there is none, and what was made of the answer. */
export function GenerationView({ generation, label, whole, killers = [] }: GenerationProps) {
  const { outcome, kind } = generation
  if (outcome.kind === 'forfeit') {
    const words = kind === 'patch' ? PATCH_FORFEITS : FORFEITS
    return (
      <>
        <p>
          The {label} {words[outcome.reason]}. {oneLine(outcome.detail, 600)}
        </p>
        <Notes notes={outcome.notes} />
        <AsGiven given={outcome.given} whole={whole} />
        <ContextView manifest={generation.context} />
        <Calls generation={generation} whole={whole} />
      </>
    )
  }
  const lines = countLines(readDiff(outcome.applied))
  return (
    <>
      <p class="count">
        <span class="good">+{lines.added}</span> <span class="bad">−{lines.removed}</span> lines
      </p>
      <Diff text={outcome.applied} label={label} whole={whole} killers={killers} />
      <Notes notes={outcome.notes} />
      {outcome.given !== outcome.applied && <AsGiven given={outcome.given} whole={whole} />}
      <ContextView manifest={generation.context} />
      <Calls generation={generation} whole={whole} />
    </>
  )
}
