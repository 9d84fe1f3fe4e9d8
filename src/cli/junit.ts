import type { LegResult } from '../schema/ci-run.ts'

/**
 * The legs as JUnit XML: a suite for the steps of each leg and one for each of its test processes, so that any viewer shows
 * both. Characters that XML has no place for become U+FFFD.
 */
export function junitOf(legs: readonly LegResult[]): string {
  const suites = legs.flatMap((leg) => [
    suite(
      `${leg.leg}: steps`,
      leg.steps.map((step) => ({
        suite: leg.leg,
        name: step.name,
        seconds: step.durationMs / 1000,
        outcome:
          step.conclusion === 'success' ? 'passed' : step.conclusion === 'skipped' ? 'skipped' : 'failed',
        message: `${step.conclusion}${step.exitCode === null ? '' : `, exit code ${step.exitCode}`}`,
      })),
    ),
    ...leg.processes.map(({ process, cases }) =>
      suite(
        `${leg.leg}: ${process}`,
        cases.map((test) => ({
          suite: test.suite,
          name: test.name,
          seconds: (test.durationMs ?? 0) / 1000,
          outcome: test.status,
          message: test.message ?? '',
        })),
      ),
    ),
  ])
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`
}

interface Entry {
  readonly suite: string
  readonly name: string
  readonly seconds: number
  readonly outcome: 'passed' | 'failed' | 'errored' | 'skipped'
  readonly message: string
}

const ELEMENTS = { failed: 'failure', errored: 'error' } as const

function suite(name: string, entries: readonly Entry[]): string {
  const count = (outcome: Entry['outcome']): number =>
    entries.filter((entry) => entry.outcome === outcome).length
  const seconds = entries.reduce((sum, entry) => sum + entry.seconds, 0)
  const counts = `tests="${entries.length}" failures="${count('failed')}" errors="${count('errored')}" skipped="${count('skipped')}"`
  const head = `  <testsuite name="${inXml(name)}" ${counts} time="${seconds.toFixed(3)}">\n`
  return `${head}${entries.map(testcase).join('')}  </testsuite>\n`
}

function testcase({ suite, name, seconds, outcome, message }: Entry): string {
  const open = `    <testcase classname="${inXml(suite)}" name="${inXml(name)}" time="${seconds.toFixed(3)}"`
  if (outcome === 'passed') return `${open}/>\n`
  if (outcome === 'skipped') return `${open}><skipped/></testcase>\n`
  const element = ELEMENTS[outcome]
  const [first = ''] = message.split('\n')
  return `${open}><${element} message="${inXml(first)}">${inXml(message)}</${element}></testcase>\n`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const inXml = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML 1.0 has no place for
    .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/[&<>"\n\t]/g, (letter) => ENTITIES[letter] ?? letter)
