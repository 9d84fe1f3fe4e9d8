import { digestOf } from '../../src/schema/canonical.ts'
import { CompetitorId } from '../../src/schema/ids.ts'
import type { Generation, Round } from '../../src/schema/match.ts'
import type { ForfeitReason, TestKey, Verdict, VerdictKind } from '../../src/schema/verdict.ts'
import type { RoundView } from '../../src/schema/view.ts'
import { cellOf, testsCell, workflowCell } from './view-cells.ts'
import { ISSUE, PATCH, TESTS } from './view-texts.ts'

export const SEASON = 'spring'
export const SETTLED_AT = '2026-02-03T04:05:06.000Z'

export interface RoundPlan {
  readonly taskId: string
  readonly language: string
  readonly submitter: string
  readonly reviewer: string
  readonly control: boolean
  readonly kind: VerdictKind
  readonly submitterReason: ForfeitReason | null
  readonly reviewerReason: ForfeitReason | null
}

const FILE = 'tests/test_hours.py'
const KEYS: readonly TestKey[] = ['test_hours_are_split_off', 'test_whole_hour'].map((name) => ({
  leg: 'test (3.11)',
  file: FILE,
  case: name,
}))
const MINUTES: TestKey = { leg: 'test (3.11)', file: FILE, case: 'test_minutes_stay' }

export const roundIdOf = ({ taskId, submitter, reviewer }: RoundPlan): string =>
  digestOf(`round ${taskId} ${submitter} ${reviewer}`)

export function pointsOf(kind: VerdictKind): Verdict['points'] {
  if (kind === 'void') return { submitter: 0, reviewer: 0 }
  const survives = kind === 'submitter-win' || kind === 'reviewer-forfeit'
  return {
    submitter: survives ? 1 : -1,
    reviewer: kind === 'reviewer-win' ? 1 : kind === 'reviewer-forfeit' ? -1 : 0,
  }
}

export function verdictOf(plan: RoundPlan): Verdict {
  const { kind } = plan
  const points = pointsOf(kind)
  const hasTests = !['reviewer-forfeit', 'no-contest'].includes(kind)
  return {
    kind,
    y: kind === 'void' || kind === 'no-contest' ? null : points.submitter === 1 ? 1 : 0,
    points,
    playable: plan.submitterReason === null ? 'yes' : 'no',
    submitterReason: plan.submitterReason,
    reviewerReason: plan.reviewerReason,
    broken:
      plan.submitterReason === 'breaks-tests'
        ? [{ leg: 'test (3.11)', case: 'tests/test_duration.py::test_zero', found: 'failed' }]
        : [],
    forged: plan.submitterReason === 'forged' ? ['pytest:1 in test (3.11)'] : [],
    admitted: hasTests ? [...KEYS] : [],
    rejected: [
      { ...MINUTES, why: 'passes-on-base', detail: 'passed on base' },
      ...(hasTests
        ? []
        : KEYS.map((key) => ({ ...key, why: 'fails-on-golden' as const, detail: 'failed on golden' }))),
    ],
    killedBy: kind === 'reviewer-win' ? KEYS.slice(0, 1).map((key) => ({ ...key, outcome: 'failed' })) : [],
    flags: [],
    voidBecause:
      kind === 'void' ? ['patch: the disk of the host was full, and golden beside it broke as well'] : [],
    resolved: kind === 'submitter-win' ? 'yes' : kind === 'void' ? 'unknown' : 'no',
    judgeVersion: '1',
  }
}

function generationOf(plan: RoundPlan, kind: 'patch' | 'tests'): Generation {
  const competitor = kind === 'patch' ? plan.submitter : plan.reviewer
  const reason = kind === 'patch' ? plan.submitterReason : plan.reviewerReason
  const diff = kind === 'patch' ? PATCH : TESTS
  const brought = reason === null || ['forged', 'breaks-tests', 'not-admitted'].includes(reason)
  return {
    id: digestOf(`${kind} ${plan.taskId} ${competitor}`),
    task: digestOf(plan.taskId),
    taskId: plan.taskId,
    competitor: CompetitorId.parse(competitor),
    kind,
    parent: null,
    repeat: 0,
    promptVersion: '1',
    prompt: `Fix the issue below.\n\n${ISSUE}`,
    context: {
      format: 1,
      variant: 'ours',
      lane: kind === 'patch' ? 'submitter' : 'reviewer',
      base: { kind: 'commit', id: '4'.repeat(40) },
      indexVersion: '1',
      weights: '1',
      query: digestOf(ISSUE),
      tokenizer: 'bytes',
      budgetTokens: 8000,
      tokens: 1200,
      items: [
        {
          path: 'src/duration.py',
          blob: '5'.repeat(40),
          startLine: 1,
          endLine: 40,
          score: 31.5,
          tokens: 420,
          part: 'source',
        },
      ],
      rerank: { kind: 'fell-back', model: 'reranker', reason: 'time-out: 30 s' },
      packSha256: digestOf('pack'),
    },
    calls: [
      {
        attempt: 1,
        request: { messages: [{ role: 'user', content: ISSUE }], temperature: 0 },
        response: digestOf(`answer ${kind}`),
        text: `Here is the change:\n\n\`\`\`diff\n${diff}\`\`\`\n`,
        reasoning: 'Hours are never split off.',
        stopReason: 'stop',
        promptTokens: 1834,
        completionTokens: 291,
        tokenLogProbs: null,
        durationMs: 5400,
        error: null,
      },
    ],
    outcome: brought
      ? {
          kind: 'applied',
          given: `Here is the change:\n\n\`\`\`diff\n${diff}\`\`\`\n`,
          applied: diff,
          changes: { digest: digestOf(diff), changes: [] },
          cases:
            kind === 'tests' ? [...KEYS, MINUTES].map((key) => ({ file: key.file, case: key.case })) : [],
          overCap: [],
          notes: [
            {
              action: 'normalised',
              path: 'src/duration.py',
              reason: 'white space of the context taken from base',
            },
            { action: 'stripped', path: 'conftest.py', reason: 'steers the test runner' },
          ],
        }
      : {
          kind: 'forfeit',
          reason,
          detail: 'Hunk 1 of src/duration.py matches nowhere.',
          given: diff,
          notes: [],
        },
    createdAt: SETTLED_AT,
  }
}

function roundOf(plan: RoundPlan): Round {
  return {
    id: digestOf(`round ${plan.taskId} ${plan.submitter} ${plan.reviewer}`),
    season: SEASON,
    seasonDigest: digestOf('season'),
    battle: digestOf('battle'),
    task: digestOf(plan.taskId),
    taskId: plan.taskId,
    submitter: CompetitorId.parse(plan.submitter),
    reviewer: CompetitorId.parse(plan.reviewer),
    control: plan.control,
    patch: digestOf(`patch ${plan.taskId} ${plan.submitter}`),
    tests: digestOf(`tests ${plan.taskId} ${plan.reviewer}`),
    cells: {
      base: digestOf('cell base'),
      golden: digestOf('cell golden'),
      patch: digestOf('cell patch'),
      testsOnBase: digestOf('cell tests on base'),
      testsOnCommentedBase: digestOf('cell tests on commented base'),
      testsOnGolden: [1, 2, 3].map((run) => digestOf(`cell tests on golden, run ${run}`)),
      testsOnPatch: digestOf('cell tests on patch'),
      lintOnGolden: null,
      oracle: null,
    },
    environment: digestOf('environment'),
    verdict: verdictOf(plan),
    settledAt: SETTLED_AT,
  }
}

/** A round's page with all that can be on one. */
export function roundViewOf(plan: RoundPlan, labels: ReadonlyMap<string, string>): RoundView {
  const verdict = verdictOf(plan)
  const onPatch = verdict.killedBy.length > 0 ? 'failed' : 'passed'
  const [first, second] = ['test_hours_are_split_off', 'test_whole_hour'] as const
  const passing = { [first]: 'passed', [second]: 'passed', test_minutes_stay: 'passed' } as const
  const failing = { [first]: 'failed', [second]: 'failed', test_minutes_stay: 'passed' } as const
  return {
    round: roundOf(plan),
    task: {
      id: plan.taskId,
      language: plan.language,
      repository: 'examples/duration',
      baseCommit: '5f0c1a2b3d4e5f60718293a4b5c6d7e8f9012345',
      issue: ISSUE,
    },
    submitterLabel: labels.get(plan.submitter) ?? plan.submitter,
    reviewerLabel: labels.get(plan.reviewer) ?? plan.reviewer,
    patch: generationOf(plan, 'patch'),
    tests: generationOf(plan, 'tests'),
    cells: [
      workflowCell('base'),
      workflowCell('golden'),
      workflowCell('patch', plan.submitterReason === 'breaks-tests' ? ['test_zero'] : []),
      testsCell('tests on base', FILE, failing),
      testsCell('tests on commented base', FILE, failing),
      testsCell('tests on golden, run 1', FILE, passing),
      testsCell('tests on golden, run 2', FILE, passing),
      testsCell('tests on golden, run 3', FILE, passing),
      testsCell('tests on patch', FILE, { ...passing, [first]: onPatch }),
      cellOf('lint on golden', null, 0),
    ],
  }
}
