import type { CaseResult, FileResult, TestsRun } from '../../src/schema/ci-run.ts'
import { duration } from './format.ts'
import { Infra, Limits } from './leg-facts.tsx'
import { Outcome } from './outcome.tsx'
import { logPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { countOutcomes, outcomesText } from './test-counts.ts'
import { oneLine, visible } from './visible.ts'

function CaseRow({ found }: { readonly found: CaseResult }) {
  return (
    <tr>
      <th scope="row">
        <code>{oneLine(found.case, 200)}</code>
        {found.parts.length > 1 && (
          <small>{outcomesText(countOutcomes(found.parts.map(({ status }) => status)))}</small>
        )}
      </th>
      <td>
        <Outcome of={found.outcome} />
      </td>
      <td class="n">{found.signal === null ? (found.exitCode ?? '–') : oneLine(found.signal, 20)}</td>
      <td class="n">{duration(found.durationMs)}</td>
      <td>{found.log === null ? '–' : <a href={logPath(found.log)}>log</a>}</td>
    </tr>
  )
}

function TestFile({ file, leg }: { readonly file: FileResult; readonly leg: string }) {
  const path = oneLine(file.path, 200)
  return (
    <>
      <p>
        <code>{path}</code> <Outcome of={file.built ? 'success' : 'not_built'} />{' '}
        {file.buildLog !== null && <a href={logPath(file.buildLog)}>build log</a>}
      </p>
      {file.commands.length > 0 && <pre class="facts">{visible(file.commands.join('\n'))}</pre>}
      {file.cases.length > 0 && (
        <Scroll label={`Cases of ${path} in ${leg}`}>
          <table class="plain">
            <thead>
              <tr>
                <th scope="col">Case</th>
                <th scope="col">Outcome</th>
                <th scope="col" class="n">
                  Exit
                </th>
                <th scope="col" class="n">
                  Time
                </th>
                <th scope="col">Log</th>
              </tr>
            </thead>
            <tbody>
              {file.cases.map((found) => (
                <CaseRow key={found.case} found={found} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  )
}

/** The added step `arena tests` in one leg. */
export function TestsLeg({ leg }: { readonly leg: TestsRun['legs'][number] }) {
  const name = oneLine(leg.leg, 120)
  return (
    <div class="leg">
      <h3>{name}</h3>
      <p class="note">{duration(leg.durationMs)}</p>
      <Infra infra={leg.infra} />
      {leg.files.map((file) => (
        <TestFile key={file.path} file={file} leg={name} />
      ))}
      <Limits limits={leg.limits} />
    </div>
  )
}
