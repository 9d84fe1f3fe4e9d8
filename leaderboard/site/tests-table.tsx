import type { RoundView } from '../../src/schema/view.ts'
import {
  caseOutcomes,
  type JudgedTest,
  judgedTests,
  keyText,
  type OutcomesByTree,
  TREES,
} from './case-outcomes.ts'
import { Outcome } from './outcome.tsx'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'
import { REJECTIONS } from './words.ts'

const HEADINGS: Readonly<Record<(typeof TREES)[number], string>> = {
  base: 'no fix',
  'commented base': 'comment only',
  golden: 'human fix',
  patch: 'this patch',
}

function State({ test }: { readonly test: JudgedTest }) {
  switch (test.state) {
    case 'killed':
      return <b class="tests">killed the patch</b>
    case 'passed':
      return <span class="patch">admitted, the patch passes</span>
    case 'rejected':
      return (
        <>
          not admitted: {test.why === null ? '' : REJECTIONS[test.why]}
          {test.detail !== '' && <small>{oneLine(test.detail, 400)}</small>}
        </>
      )
  }
}

function Row({
  test,
  outcomes,
}: {
  readonly test: JudgedTest
  readonly outcomes: OutcomesByTree | undefined
}) {
  return (
    <tr class={test.state}>
      <th scope="row">
        <code>{oneLine(test.key.case, 200)}</code>
        <small>
          {oneLine(test.key.file, 200)}
          {test.key.leg !== '' && ` in ${oneLine(test.key.leg, 80)}`}
        </small>
      </th>
      {TREES.map((tree) => (
        <td key={tree} class="outs">
          {(outcomes?.get(tree) ?? []).map((outcome, run) => (
            <Outcome key={run} of={outcome} brief />
          ))}
        </td>
      ))}
      <td>
        <State test={test} />
      </td>
    </tr>
  )
}

/** Every test with its result on every tree: why it counts or not can be read off. */
export function TestsTable({ view }: { readonly view: RoundView }) {
  const tests = judgedTests(view.round.verdict)
  if (tests.length === 0) return null
  const outcomes = caseOutcomes(view.cells)
  return (
    <>
      <p class="note">
        A test counts when it fails without the fix, also with only a comment added, and passes three times on
        the human fix.
      </p>
      <Scroll label="Results of the tests on every tree">
        <table class="plain judged">
          <thead>
            <tr>
              <th scope="col">Test</th>
              {TREES.map((tree) => (
                <th key={tree} scope="col">
                  {HEADINGS[tree]}
                </th>
              ))}
              <th scope="col">Verdict on it</th>
            </tr>
          </thead>
          <tbody>
            {tests.map((test) => (
              <Row
                key={`${test.state} ${keyText(test.key)}`}
                test={test}
                outcomes={outcomes.get(keyText(test.key))}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  )
}
