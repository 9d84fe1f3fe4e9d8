// Writes examples/expected.json: the verdict of every round of the demo season, as expected[task][submitter][reviewer].
// Derived from the verdict table of docs/judge.md and from what each recorded answer is made to be, never from a played round.
//   build-expected.mjs --check   writes nothing; exit code 1 when the file says otherwise
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const examples = fileURLToPath(new URL('../examples/', import.meta.url))

/** What a submitter's patch is. `unplayable` ones do not apply, break a test, or are forged. */
const PATCHES = {
  thorough: 'right',
  steady: 'right',
  symptom: 'symptom-only',
  breaker: 'unplayable',
  careless: 'unplayable',
  forger: 'unplayable',
  golden: 'golden',
  'no-op': 'unfixed',
}

/**
 * What a reviewer's tests are. `sharp` tests ask for the general case, `dull` ones for the example, `bound` ones for
 * a function that only golden has. Of the others no case is admitted: they fail on golden, pass at base, or are none.
 */
const TESTS = {
  thorough: 'sharp',
  steady: 'dull',
  symptom: 'none-admitted',
  breaker: 'dull',
  careless: 'bound',
  forger: 'none-admitted',
  'upstream-tests': 'sharp',
  'empty-tests': 'none-admitted',
  'always-fail-tests': 'none-admitted',
}

/** Playable patches that pass all admitted tests of each kind. */
const SURVIVES = {
  sharp: ['golden', 'right'],
  dull: ['golden', 'right', 'symptom-only'],
  bound: ['golden'],
}

function verdictOf(patch, tests) {
  const admitted = tests !== 'none-admitted'
  if (patch === 'unplayable') return admitted ? 'submitter-forfeit' : 'no-contest'
  if (!admitted) return 'reviewer-forfeit'
  return SURVIVES[tests].includes(patch) ? 'submitter-win' : 'reviewer-win'
}

const rounds = Object.fromEntries(
  Object.entries(PATCHES).map(([submitter, patch]) => [
    submitter,
    Object.fromEntries(
      Object.entries(TESTS)
        .filter(([reviewer]) => reviewer !== submitter)
        .map(([reviewer, tests]) => [reviewer, verdictOf(patch, tests)]),
    ),
  ]),
)
// The answers are of the same quality in every task.
const tasks = readdirSync(`${examples}tasks`).sort()
const expected = Object.fromEntries(tasks.map((task) => [task, rounds]))
const file = `${examples}expected.json`
const text = `${JSON.stringify(expected, null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('examples/expected.json: not as derived; run node scripts/build-expected.mjs\n')
  process.exitCode = 1
}
