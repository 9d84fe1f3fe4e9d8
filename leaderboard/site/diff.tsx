import type { TestKey } from '../../src/schema/verdict.ts'
import { type DiffFile, type DiffLine, readDiff } from './diff-lines.ts'
import { plural } from './format.ts'
import { Scroll } from './scroll.tsx'

interface DiffProps {
  readonly text: string
  readonly label: string
  readonly whole: string
  /** Tests whose first line is marked. */
  readonly killers?: readonly TestKey[]
}

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '−', same: ' ', note: '' }

/** The part of a case's name that stands literally in its file. */
const literalName = (name: string): string => name.split(/::|\.|\//).at(-1) ?? name

/** The lines in which the killing cases are declared: the first of each that names it. */
function killingLines(file: DiffFile, killers: readonly TestKey[]): ReadonlySet<DiffLine> {
  const lines = file.hunks.flatMap((hunk) => hunk.lines).filter(({ kind }) => kind !== 'removed')
  const marked = new Set<DiffLine>()
  for (const { file: path, case: name } of killers) {
    if (path !== file.path) continue
    const words = (line: DiffLine): readonly string[] => line.text.split(/[^\p{L}\p{N}_$]+/u)
    const line = lines.find((candidate) => words(candidate).includes(literalName(name)))
    if (line) marked.add(line)
  }
  return marked
}

function Line({ line, kills }: { readonly line: DiffLine; readonly kills: boolean }) {
  return (
    <tr class={kills ? `${line.kind} kills` : line.kind}>
      <td class="no">{line.before}</td>
      <td class="no">{line.after}</td>
      <td class="sign">{SIGNS[line.kind]}</td>
      <td class="code">
        {line.text}
        {kills && <span class="flag">✕ killed the patch</span>}
      </td>
    </tr>
  )
}

function FileDiff({ file, killers }: { readonly file: DiffFile; readonly killers: readonly TestKey[] }) {
  const marked = killingLines(file, killers)
  const name = file.path === '' ? 'Not a diff' : file.path
  return (
    <div class="file">
      <h3>{name}</h3>
      {file.facts.length > 0 && <pre class="facts">{file.facts.join('\n')}</pre>}
      {file.hunks.length > 0 && (
        <Scroll label={`Changes in ${name}`}>
          <table class="diff">
            {file.hunks.map((hunk, at) => (
              <tbody key={`${at} ${hunk.header}`}>
                <tr class="hunk">
                  <td colSpan={3} />
                  <td class="code">{hunk.header}</td>
                </tr>
                {hunk.lines.map((line, index) => (
                  <Line key={index} line={line} kills={marked.has(line)} />
                ))}
              </tbody>
            ))}
          </table>
        </Scroll>
      )}
    </div>
  )
}

/** A unified diff with line numbers; plus and minus stand beside the colours. */
export function Diff({ text, label, whole, killers = [] }: DiffProps) {
  const { files, left } = readDiff(text)
  if (files.length === 0) return <p class="note">The {label} is empty.</p>
  return (
    <>
      {files.map((file, index) => (
        <FileDiff key={`${index} ${file.path}`} file={file} killers={killers} />
      ))}
      {left > 0 && (
        <p class="note">
          {plural(left, 'more line')} of it: <a href={whole}>in the data of this round</a>.
        </p>
      )}
    </>
  )
}
