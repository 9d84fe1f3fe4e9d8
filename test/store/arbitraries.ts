import fc from 'fast-check'
import type {
  NewBattle,
  NewCell,
  NewCompetitor,
  NewGeneration,
  NewRound,
  NewSeason,
  NewTask,
} from '../../src/store/records.ts'

/** What models, tools and repositories may put into a text, and what databases are known to trip over. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 24 }),
  fc.constantFrom(
    '',
    'a\0b',
    'half \ud800 pair',
    "'; drop table rounds; --",
    '{"a": 1}',
    '\r\n',
    '\u{1f600}',
  ),
)
/** The arena's own words. */
const words = fc.stringMatching(/^[a-z][a-z -]{0,20}$/)
const positive = (value: number): number => (value === 0 ? 0 : value)
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const slug = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}$/)
const digest = fc.stringMatching(/^[0-9a-f]{64}$/)
const commit = fc.stringMatching(/^[0-9a-f]{40}$/)
const path = fc.stringMatching(/^[a-z]{1,8}\/[a-z_]{1,8}\.[a-z]{1,3}$/)
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const duration = fc.double({ min: 0, max: 1e9, noNaN: true })
const count = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const small = fc.nat({ max: 300 })
const few = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(item, { maxLength: 3 })
const orNull = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(item, { nil: null })

const conclusion = fc.constantFrom('success', 'failure', 'cancelled', 'timed_out', 'infra_error')
const limit = fc.record({
  limit: fc.constantFrom('memory', 'network'),
  value: text,
  by: fc.constantFrom('cgroup-v1', 'none'),
})
const infra = orNull(fc.record({ source: fc.constantFrom('daemon', 'host-disk'), message: text }))
const testResult = fc.record(
  {
    suite: text,
    name: text,
    status: fc.constantFrom('passed', 'failed', 'skipped', 'errored'),
    durationMs: duration,
    message: text,
  },
  { requiredKeys: ['suite', 'name', 'status'] },
)
const processReport = {
  process: text,
  exitCode: orNull(small),
  signal: orNull(text),
  cases: few(testResult),
  complete: fc.boolean(),
}
const step = fc.record({
  index: small,
  name: text,
  uses: orNull(text),
  outcome: conclusion,
  conclusion,
  exitCode: orNull(small),
  durationMs: duration,
  log: orNull(digest),
  droppedBytes: count,
  notes: few(text),
})
const leg = fc.record({
  leg: text,
  job: text,
  matrix: fc.dictionary(slug, json, { maxKeys: 3 }),
  status: conclusion,
  reason: orNull(text),
  steps: few(step),
  testStep: orNull(small),
  processes: few(fc.record(processReport)),
  armed: orNull(
    fc.record({
      steps: few(step),
      processes: few(
        fc.record({ ...processReport, sentinel: fc.constantFrom('failed', 'passed', 'absent') }),
      ),
    }),
  ),
  limits: few(limit),
  infra,
  durationMs: duration,
  cpuMs: orNull(duration),
  peakMemoryMiB: orNull(duration),
})
const testsLeg = fc.record({
  leg: text,
  files: few(
    fc.record({
      path,
      built: fc.boolean(),
      commands: few(text),
      buildLog: orNull(digest),
      cases: few(
        fc.record({
          case: text,
          outcome: fc.constantFrom('passed', 'absent', 'out_of_memory', 'not_built'),
          exitCode: orNull(small),
          signal: orNull(text),
          parts: few(testResult),
          log: orNull(digest),
          durationMs: duration,
        }),
      ),
    }),
  ),
  limits: few(limit),
  infra,
  durationMs: duration,
})
const run = fc.oneof(
  fc.record({ kind: fc.constant('workflow' as const), tree: digest, legs: few(leg) }),
  fc.record({ kind: fc.constant('tests' as const), tree: digest, legs: few(testsLeg) }),
)

export const cell: fc.Arbitrary<NewCell> = fc.record({
  key: digest,
  label: words,
  task: digest,
  environment: digest,
  run,
  durationMs: duration,
  createdAt: time,
})

export const task: fc.Arbitrary<NewTask> = fc.record({
  digest,
  issue: text,
  document: fc.record(
    {
      schemaVersion: fc.constant(1 as const),
      id: slug,
      repository: fc.record({ name: fc.constant('owner/library'), bundle: path }),
      language: fc.constantFrom('cpp', 'python', 'rust', 'go'),
      baseCommit: commit,
      statements: fc.record({ original: path, refined: path }, { requiredKeys: ['original'] }),
      origin: fc.constantFrom('mined', 'live', 'injected', 'authored'),
      goldenPatch: orNull(path),
      testPatch: orNull(path),
      ci: fc.record({
        workflow: path,
        event: fc.constantFrom('push', 'pull_request'),
        jobs: fc.array(text, { minLength: 1, maxLength: 2 }),
        env: fc.dictionary(slug, text, { maxKeys: 2 }),
      }),
      testCommand: fc.record({ build: text, case: text }),
      FAIL_TO_PASS: few(fc.constantFrom('tests/test_a.py::test_x', 'a::b\0c')),
      PASS_TO_PASS: few(fc.constantFrom('tests/test_a.py::test_y', '.::TestZ')),
      created: time,
      source: text,
      licence: text,
    },
    { noNullPrototype: true },
  ),
})

export const competitor: fc.Arbitrary<NewCompetitor> = fc.record({
  id: slug,
  label: text,
  team: text,
  player: fc.oneof(
    fc.record({ kind: fc.constant('scripted' as const), folder: text }),
    fc.record({ kind: fc.constant('control' as const), control: fc.constantFrom('golden', 'no-op') }),
    fc.record({
      kind: fc.constant('endpoint' as const),
      endpoint: fc.record({
        api: fc.constantFrom('openai' as const, 'anthropic' as const),
        baseUrl: fc.constant('http://127.0.0.1:8000/v1'),
        model: fc.constant('some-model'),
        keyEnv: fc.constant('SOME_KEY'),
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        maxOutputTokens: fc.integer({ min: 1 }),
        contextTokens: fc.integer({ min: 1 }),
        requestTimeoutMs: fc.integer({ min: 1 }),
      }),
    }),
  ),
})

export const season: fc.Arbitrary<NewSeason> = fc.record({
  digest,
  document: fc.record({
    id: slug,
    title: text,
    protocol: fc.constantFrom('blind', 'sighted', 'paper'),
    tasks: fc.array(text, { minLength: 1, maxLength: 3 }),
    competitors: fc.array(text, { minLength: 2, maxLength: 3 }),
    controls: fc.boolean(),
    statement: fc.constantFrom('original', 'refined'),
    retrieval: fc.record({ variant: text, budgetTokens: fc.integer({ min: 1 }) }),
    attempts: fc.integer({ min: 1, max: 5 }),
    caps: fc.record({ cases: fc.integer({ min: 1 }), addedLines: fc.integer({ min: 1 }) }),
    anchors: few(slug),
  }),
  createdAt: time,
})

const notes = few(
  fc.record({
    action: fc.constantFrom('normalised', 'stripped', 'refused', 'cut'),
    path: text,
    reason: text,
  }),
)
const changes = fc.record({
  digest,
  changes: few(
    fc.oneof(
      fc.record({
        change: fc.constant('write' as const),
        path,
        mode: fc.constantFrom('100644', '100755', '120000'),
        contentBase64: fc.base64String(),
      }),
      fc.record({ change: fc.constant('delete' as const), path }),
    ),
  ),
})
const forfeitReason = fc.constantFrom('does-not-apply', 'empty', 'endpoint', 'forged')

export const generation: fc.Arbitrary<NewGeneration> = fc.record({
  id: digest,
  task: digest,
  taskId: slug,
  competitor: slug,
  kind: fc.constantFrom('patch', 'tests', 'review', 'requirement'),
  parent: orNull(digest),
  repeat: count,
  promptVersion: words,
  prompt: text,
  calls: few(
    fc.record({
      attempt: fc.integer({ min: 1 }),
      request: json,
      response: orNull(digest),
      text,
      reasoning: text,
      stopReason: orNull(text),
      promptTokens: orNull(count),
      completionTokens: orNull(count),
      tokenLogProbs: orNull(
        few(
          fc.record({
            token: text,
            logprob: fc.double({ max: 0, noNaN: true, noDefaultInfinity: true }).map(positive),
          }),
        ),
      ),
      durationMs: duration,
      error: orNull(text),
    }),
  ),
  outcome: fc.oneof(
    fc.record({
      kind: fc.constant('applied' as const),
      given: text,
      applied: text,
      changes,
      cases: few(fc.record({ file: text, case: text })),
      notes,
    }),
    fc.record({
      kind: fc.constant('forfeit' as const),
      reason: forfeitReason,
      detail: text,
      given: text,
      notes,
    }),
  ),
  context: fc.option(
    fc.record({
      format: fc.constant(1 as const),
      variant: fc.constantFrom('bm25-files', 'ours'),
      lane: fc.constantFrom('submitter', 'reviewer'),
      base: fc.record({ kind: fc.constantFrom('commit', 'folder'), id: text }),
      indexVersion: text,
      weights: text,
      query: digest,
      tokenizer: fc.constantFrom('bytes', 'o200k_base'),
      budgetTokens: fc.integer({ min: 1 }),
      tokens: count,
      items: few(
        fc.record({
          path: text,
          blob: text,
          startLine: fc.integer({ min: 1 }),
          endLine: count,
          score: duration,
          tokens: count,
          part: fc.constantFrom('source', 'test'),
        }),
      ),
      rerank: fc.oneof(
        fc.record({ kind: fc.constant('none' as const) }),
        fc.record({ kind: fc.constant('fell-back' as const), model: text, reason: text }),
      ),
      packSha256: digest,
    }),
    { nil: undefined },
  ),
  createdAt: time,
})

export const battle: fc.Arbitrary<NewBattle> = fc.record({
  id: digest,
  seasonDigest: digest,
  task: digest,
  taskId: slug,
  a: slug,
  b: slug,
  state: fc.constantFrom('queued', 'settled', 'void-closed'),
  tries: count,
})

const key = { leg: text, file: text, case: text }
const points = fc.integer({ min: -1, max: 1 })

export const verdict: fc.Arbitrary<NewRound['verdict']> = fc.record({
  kind: fc.constantFrom('submitter-win', 'reviewer-win', 'submitter-forfeit', 'no-contest', 'void'),
  y: orNull(fc.constantFrom(0 as const, 1 as const)),
  points: fc.record({ submitter: points, reviewer: points }),
  playable: fc.constantFrom('yes', 'no', 'unknown'),
  submitterReason: orNull(forfeitReason),
  reviewerReason: orNull(forfeitReason),
  broken: few(fc.record({ leg: text, case: orNull(text), found: text })),
  forged: few(text),
  admitted: few(fc.record(key)),
  rejected: few(
    fc.record({ ...key, why: fc.constantFrom('passes-on-base', 'lint', 'unknown'), detail: text }),
  ),
  killedBy: few(fc.record({ ...key, outcome: text })),
  flags: few(text),
  voidBecause: few(text),
  resolved: fc.constantFrom('yes', 'no', 'unknown'),
  judgeVersion: words,
})

const rating = fc.constantFrom('yes', 'no', 'unknown')

/** What only some protocols have. */
const inTurnOrDrawn = fc.record(
  {
    turn: fc.integer({ min: 1 }),
    draw: fc.record({
      temperature: fc.double({ min: 0.1, max: 2, noNaN: true }),
      chosenBy: fc.constantFrom('verifier', 'first'),
      verifier: orNull(text),
      patches: fc.array(
        fc.record({
          patch: digest,
          score: orNull(fc.double({ min: 0, max: 1, noNaN: true }).map(positive)),
          assessment: orNull(digest),
          playable: rating,
          resolved: rating,
          cell: orNull(digest),
          oracle: orNull(digest),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
  { requiredKeys: [] },
)

const everyRound = fc.record({
  id: digest,
  season: slug,
  seasonDigest: digest,
  battle: digest,
  task: digest,
  taskId: slug,
  submitter: slug,
  reviewer: slug,
  control: fc.boolean(),
  patch: digest,
  tests: orNull(digest),
  cells: fc.record({
    base: digest,
    golden: digest,
    patch: orNull(digest),
    testsOnBase: orNull(digest),
    testsOnCommentedBase: orNull(digest),
    testsOnGolden: few(digest),
    testsOnPatch: orNull(digest),
    lintOnGolden: orNull(digest),
    oracle: orNull(digest),
  }),
  environment: digest,
  verdict,
  settledAt: time,
})

export const round: fc.Arbitrary<NewRound> = fc
  .tuple(everyRound, inTurnOrDrawn)
  .map(([round, more]) => ({ ...round, ...more }))
