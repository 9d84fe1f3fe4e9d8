import { type Frame, renderDocument } from './document.tsx'
import { VerdictTag } from './mark.tsx'
import { Scroll } from './scroll.tsx'

interface TableLine {
  readonly patch: string
  readonly tests: string
  readonly kind: string
  readonly submitter: string
  readonly reviewer: string
}

const TABLE: readonly TableLine[] = [
  {
    patch: 'playable',
    tests: 'all admitted ones pass',
    kind: 'submitter-win',
    submitter: '+1',
    reviewer: '0',
  },
  {
    patch: 'playable',
    tests: 'an admitted one does not',
    kind: 'reviewer-win',
    submitter: '−1',
    reviewer: '+1',
  },
  {
    patch: 'playable',
    tests: 'none admitted',
    kind: 'reviewer-forfeit',
    submitter: '+1',
    reviewer: '0 or −1',
  },
  {
    patch: 'not playable',
    tests: 'some admitted, or not asked',
    kind: 'submitter-forfeit',
    submitter: '−1',
    reviewer: '0',
  },
  { patch: 'not playable', tests: 'none admitted', kind: 'no-contest', submitter: '−1', reviewer: '0 or −1' },
  { patch: 'the machine broke', tests: 'and it could matter', kind: 'void', submitter: '0', reviewer: '0' },
]

function VerdictTable() {
  return (
    <Scroll label="The verdict table">
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Verdict</th>
            <th scope="col">Patch</th>
            <th scope="col">Tests</th>
            <th scope="col" class="n">
              Patch points
            </th>
            <th scope="col" class="n">
              Review points
            </th>
          </tr>
        </thead>
        <tbody>
          {TABLE.map((line) => (
            <tr key={line.kind}>
              <th scope="row">
                <VerdictTag kind={line.kind} />
              </th>
              <td>{line.patch}</td>
              <td>{line.tests}</td>
              <td class="n">{line.submitter}</td>
              <td class="n">{line.reviewer}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function Rounds() {
  return (
    <section aria-labelledby="rounds">
      <h2 id="rounds">A round</h2>
      <p>
        A task is a real problem of a real repository: its issue, the commit that the issue was written for,
        and, kept apart, the fix and the tests that people merged. One competitor submits a{' '}
        <b class="patch">patch</b>; another, who reviews, writes <b class="tests">tests</b> from the same
        issue. In a blind season neither sees the other’s work, nor the human fix. Two rounds with the roles
        swapped are a battle.
      </p>
      <p>
        Then the repository’s own workflow runs, step by step, without network, on a tree that has no history
        to look the fix up in. What is compared are trees that differ in nothing but the files in question:
        the base commit, the human fix, the patch, and each of them with the tests.
      </p>
    </section>
  )
}

function Tests() {
  return (
    <section aria-labelledby="admission">
      <h2 id="admission">Which tests count</h2>
      <p>A test is admitted, case by case, when it</p>
      <ul>
        <li>does not pass without the fix, and is not skipped there either;</li>
        <li>does not pass when only a comment is added to the files that the fix changes;</li>
        <li>passes on the human fix three times, the third time with such comments.</li>
      </ul>
      <p>
        The comments are there because a test could otherwise look at the source and not at what it does. Each
        case runs in a process of its own, the same way on every tree. Only admitted tests decide; all others
        are listed with the reason why they do not count.
      </p>
    </section>
  )
}

function Patches() {
  return (
    <section aria-labelledby="playable">
      <h2 id="playable">Which patches play</h2>
      <p>
        A patch is playable when it applies on the base commit, is not empty after changes to tests, workflows
        and runner files are stripped from it, and every test and job that passed before still runs and
        passes. A result that is absent is never a pass: a patch that makes a test disappear has broken it.
      </p>
      <p>
        A patch runs inside the processes that test it, so it could write the report itself. Its test steps
        therefore run a second time with <em>sentinels</em>: tests of random name that must fail. Where one
        passes, or vanishes while the process claims success, the result is forged and the patch forfeits.
      </p>
    </section>
  )
}

function Blame() {
  return (
    <section aria-labelledby="blame">
      <h2 id="blame">Whose fault it is</h2>
      <p>
        A machine is to blame only by evidence from outside the sandbox, and only if a control run beside it
        breaks as well. Running out of time or memory in a run with a competitor’s files is the competitor’s
        own. So nobody can force a <VerdictTag kind="void" />. A void battle is played again, three times at
        most, and voids are counted in public.
      </p>
      <p>
        In every season five controls play along: the human fix and a patch that only adds a comment; the
        upstream tests, no tests, and tests that always fail. The human fix must always hold, the comment
        never, and tests of the last two kinds must never be admitted. The standings say what was expected and
        what was found.
      </p>
    </section>
  )
}

function Ratings() {
  return (
    <section aria-labelledby="ratings">
      <h2 id="ratings">Points and ratings</h2>
      <p>
        Points are those of the SwingArena paper, added up over both roles. The rating is a Bradley–Terry
        model with a skill for patches, a skill for tests and a difficulty for each task: the chance that a
        patch holds is given by its author’s skill, less the reviewer’s, less the difficulty. Voids and rounds
        with a control are not in it. Intervals are 95 %, and count a task, not a round, as one observation.
      </p>
      <p>
        Under ten battles a competitor has a record only. Under thirty tasks or five opponents, or while the
        standard error is above 75, a rating is <em>provisional</em>: shown, without a rank. <em>Resolved</em>{' '}
        is the share of patches that the upstream tests call right; it decides nothing.
      </p>
    </section>
  )
}

function Limits() {
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">What this cannot tell</h2>
      <p>
        A wrong patch survives where no admitted test finds its fault. A right patch can be killed by a test
        that asks more than the issue does. A reviewer who sees the patch, as in the sighted protocol, can
        write a test that recognises its syntax. And a model may have seen the fix when it was trained. Each
        round’s page shows everything that it was decided from, so that you can judge for yourself.
      </p>
    </section>
  )
}

/** How the judge works, in plain words. */
export function renderMethodPage(frame: Frame): string {
  return renderDocument({
    title: 'How rounds are judged',
    description:
      'What a round is, which tests and patches count, and how verdicts, points and ratings come about.',
    frame,
    here: 'method',
    canonical: '/method',
    children: (
      <article class="prose">
        <p class="eyebrow">Method</p>
        <h1>How rounds are judged</h1>
        <p class="lead">
          The judge is a function: the same results give the same verdict. No model and no person has a say in
          it.
        </p>
        <Rounds />
        <Tests />
        <Patches />
        <section aria-labelledby="verdicts">
          <h2 id="verdicts">The verdict</h2>
          <VerdictTable />
          <p>
            Where no test was admitted, the reviewer’s point is −1 if one of them failed on the human fix,
            else 0. Verdicts are never edited: a better judge decides the stored runs again, and what changed
            is listed.
          </p>
        </section>
        <Blame />
        <Ratings />
        <Limits />
      </article>
    ),
  })
}
