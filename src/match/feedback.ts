import { settleAll } from '../ci/settle-all.ts'
import type { CiRun, TestsRun } from '../schema/ci-run.ts'
import type { Failure, Feedback } from '../schema/feedback.ts'
import type { Generation } from '../schema/match.ts'
import type { TestKey, Verdict } from '../schema/verdict.ts'
import type { PlayedRound } from './round.ts'
import { trimLog } from './trim-log.ts'

/** At most so many failures are told, each with its log. */
const MOST = 8

export interface FeedbackPorts {
  /** A log by its digest; undefined when it is no longer kept. */
  readonly readLog: (digest: string) => Promise<Uint8Array | undefined>
}

type Found = Omit<Failure, 'log'> & { readonly log: string | null }

/** Of a case that was run: its own log, or that of the build where it was not built. */
function caseLog(run: TestsRun | null | undefined, key: TestKey): string | null {
  const file = run?.legs.find(({ leg }) => leg === key.leg)?.files.find(({ path }) => path === key.file)
  if (file?.built === false) return file.buildLog
  return file?.cases.find((result) => result.case === key.case)?.log ?? null
}

/** Of a leg that broke: the first step that failed, else the one whose tests report. */
function legLog(run: CiRun | null, name: string): { readonly step: string; readonly log: string | null } {
  const leg = run?.legs.find(({ leg }) => leg === name)
  const step =
    leg?.steps.find(({ conclusion }) => conclusion === 'failure' || conclusion === 'timed_out') ??
    (leg?.testStep === null ? undefined : leg?.steps[leg?.testStep ?? -1])
  return { step: step?.name ?? 'the job', log: step?.log ?? null }
}

/** What the patch did not pass. A leg's log stands once, with the first of its failures. */
function failuresOfPatch({ verdict, evidence }: Judged): readonly Found[] {
  const legs = new Set<string>()
  const broken = verdict.broken.map((key): Found => {
    const { step, log } = legLog(evidence.patch, key.leg)
    const isFirst = !legs.has(key.leg)
    legs.add(key.leg)
    const what = key.case ?? step
    return { leg: key.leg, what, outcome: key.found, log: isFirst ? log : null }
  })
  const killed = verdict.killedBy.map(
    (key): Found => ({
      leg: key.leg,
      what: `${key.case} in ${key.file}`,
      outcome: key.outcome,
      log: caseLog(evidence.tests?.patch, key),
    }),
  )
  return [...broken, ...killed]
}

/** How the tests fared. What golden did is said in a word: its logs would show the maintainers' fix. */
function resultsOfTests({ verdict, evidence }: Judged): readonly Found[] {
  const isKilling = new Set(verdict.killedBy.map(({ leg, file, case: name }) => `${leg}\0${file}\0${name}`))
  const rejected = verdict.rejected.map((key): Found => {
    const log = key.why === 'fails-on-golden' ? caseLog(evidence.tests?.base, key) : null
    const outcome = `does not count: ${key.why}${log === null ? '' : '; its log is of the repository as it is'}`
    return { leg: key.leg, what: `${key.case} in ${key.file}`, outcome, log }
  })
  const admitted = verdict.admitted.map((key): Found => {
    const kills = isKilling.has(`${key.leg}\0${key.file}\0${key.case}`)
    const outcome = kills ? 'counts, and the patch does not pass it' : 'counts, and the patch passes it'
    return { leg: key.leg, what: `${key.case} in ${key.file}`, outcome, log: null }
  })
  return [...rejected, ...admitted]
}

interface Judged {
  readonly verdict: Verdict
  readonly evidence: PlayedRound['evidence']
}

function howItEnded(kind: 'patch' | 'tests', generation: Generation, verdict: Verdict): string {
  if (verdict.kind === 'void') return 'The machine broke: the round has no result.'
  const { outcome } = generation
  if (outcome.kind === 'forfeit')
    return `Nothing of the answer could be used (${outcome.reason}): ${outcome.detail}`
  const ends: Readonly<Record<typeof verdict.kind, readonly [string, string]>> = {
    'submitter-win': [
      'The patch passed every check and every test that counts.',
      'The patch passed every test that counts.',
    ],
    'reviewer-win': [
      'The patch did not pass a test that counts.',
      'The patch did not pass one of the tests.',
    ],
    'submitter-forfeit': [
      'The patch was not playable.',
      'The patch was not playable, so the tests decided nothing.',
    ],
    'reviewer-forfeit': [
      'The patch was playable, and none of the tests counted.',
      'None of the tests counted.',
    ],
    'no-contest': ['The patch was not playable.', 'None of the tests counted.'],
  }
  return ends[verdict.kind][kind === 'patch' ? 0 : 1]
}

/** What each role is told of a round; null for a reviewer that was not asked. */
export async function feedbackOf(
  played: PlayedRound,
  turn: number,
  ports: FeedbackPorts,
): Promise<{ readonly patch: Feedback; readonly tests: Feedback | null }> {
  const { round, evidence } = played
  const judged: Judged = { verdict: round.verdict, evidence }
  const withLogs = (found: readonly Found[]): Promise<readonly Failure[]> =>
    settleAll(
      found.slice(0, MOST).map(async (failure): Promise<Failure> => {
        const bytes = failure.log === null ? undefined : await ports.readLog(failure.log)
        return { ...failure, log: bytes ? trimLog(Buffer.from(bytes).toString('utf8')) : '' }
      }),
    )
  const tell = async (
    kind: 'patch' | 'tests',
    generation: Generation,
    found: readonly Found[],
  ): Promise<Feedback> => ({
    turn,
    kind,
    ended: howItEnded(kind, generation, round.verdict),
    brought: generation.outcome.kind === 'applied' ? generation.outcome.applied : '',
    failures: round.verdict.kind === 'void' ? [] : await withLogs(found),
  })
  return {
    patch: await tell('patch', played.patch, failuresOfPatch(judged)),
    tests: played.tests && (await tell('tests', played.tests, resultsOfTests(judged))),
  }
}
