import { z } from 'zod'
import { ContextManifest, Tokenizer } from './context.ts'
import { CompetitorId, Digest, Slug } from './ids.ts'
import { Cost, PriceList, RoleLimits } from './price.ts'
import { AssessorSpec, RerankSpec } from './scorer.ts'
import { AppliedChanges, PatchNote } from './tree.ts'
import { ForfeitReason, Verdict } from './verdict.ts'

export const Protocol = z.enum(['blind', 'sighted', 'paper', 'best-of-k'])
export type Protocol = z.infer<typeof Protocol>

/** Whether the reviewer sees the patch, so that tests are written for one patch. */
export const isSighted = (protocol: Protocol): boolean => protocol === 'sighted' || protocol === 'paper'

const SeasonFields = z.strictObject({
  id: Slug,
  title: z.string().max(120),
  protocol: z
    .preprocess((value) => (value === 'swap' ? 'blind' : value), Protocol)
    .default('blind')
    .describe('`swap` is another word for `blind`'),
  /** Folders that hold a task.json, or folders of such folders; relative to the season file. */
  tasks: z.array(z.string()).min(1),
  /** `scripted:FOLDER`, `endpoint:FILE` entries are read by match/season.ts; relative to the season file. */
  competitors: z.array(z.string()).min(2),
  controls: z.boolean().default(true),
  statement: z.enum(['original', 'refined']).default('original'),
  retrieval: z
    .strictObject({
      variant: z.string().default('none'),
      budgetTokens: z.number().int().positive().default(8000),
      tokenizer: Tokenizer.optional().describe('how the budget is counted; bytes when left out'),
      rerank: RerankSpec.optional().describe('a served model that orders chunks, in variants that use one'),
    })
    .prefault({}),
  attempts: z.number().int().min(1).max(5).default(2).describe('answers asked for before a role forfeits'),
  caps: z
    .strictObject({
      cases: z.number().int().positive().default(10),
      addedLines: z.number().int().positive().default(400),
    })
    .prefault({}),
  anchors: z.array(CompetitorId).default([]),
  retired: z.array(CompetitorId).optional().describe('shown without a rank; their rounds stay in the fit'),
  selfPlay: z
    .boolean()
    .optional()
    .describe('each patch also meets its own competitor’s tests: shown, never rated'),
  bestOf: z
    .strictObject({
      k: z.number().int().min(2).max(64).describe('patches that each side draws for a task'),
      temperature: z
        .number()
        .positive()
        .max(2)
        .describe('for these patches, in place of the competitors’ own'),
      verifier: AssessorSpec.optional().describe(
        'chooses which one plays; the first that applies without one',
      ),
    })
    .optional()
    .describe('protocol best-of-k'),
  limits: RoleLimits.optional().describe('what one role of one round may use, all of its attempts together'),
  prices: PriceList.optional().describe('what tokens cost on a day'),
})

/** `season.yml`: a pool of competitors × a set of tasks under one protocol. Its digest is in every round. */
export const Season = SeasonFields.refine(
  ({ protocol, bestOf }) => (protocol === 'best-of-k') === (bestOf !== undefined),
  {
    path: ['bestOf'],
    error: ({ input }) =>
      (input as { readonly protocol?: unknown }).protocol === 'best-of-k'
        ? 'protocol best-of-k needs bestOf.k and bestOf.temperature'
        : 'only protocol best-of-k draws several patches',
  },
)
export type Season = z.infer<typeof Season>

const LogProb = z.object({ token: z.string(), logprob: z.number() })

/** One exchange with a model, or one recorded answer. Secrets are cut out before it is made. */
export const ModelCall = z.object({
  attempt: z.number().int().positive(),
  /** Which of several drawn from the same asking, from 0; absent where one is made. */
  sample: z.number().int().nonnegative().optional(),
  /** The request as sent, without headers. */
  request: z.unknown(),
  /** Digest of the messages, whatever form the server wants them in; finds the call again in a recording. */
  asked: Digest.optional(),
  /** The raw answer bytes, decoded with replacement; kept by content. */
  response: Digest.nullable(),
  text: z.string(),
  /** JSON of the text where it holds what a database does not take; `text` has replacement characters there. */
  exactText: z.string().optional(),
  reasoning: z.string(),
  stopReason: z.string().nullable(),
  promptTokens: z.number().int().nonnegative().nullable(),
  completionTokens: z.number().int().nonnegative().nullable(),
  cachedTokens: z.number().int().nonnegative().optional(),
  tokenLogProbs: z.array(LogProb.extend({ top: z.array(LogProb).optional() })).nullable(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })).optional(),
  tokenIds: z.array(z.number().int().nonnegative()).optional(),
  durationMs: z.number().nonnegative(),
  waitedMs: z.number().nonnegative().optional(),
  firstTextMs: z.number().nonnegative().optional(),
  tries: z.number().int().positive().optional(),
  error: z.string().nullable(),
  /** Absent where no price list names the model. */
  cost: Cost.optional(),
})
export type ModelCall = z.infer<typeof ModelCall>

/** What one role brought: the one table of generations (DESIGN: prepared for what comes next). */
export const Generation = z.object({
  /** Digest of task, competitor, kind, prompt version, statement, context, what else was shown, parent and repeat. */
  id: Digest,
  task: Digest,
  taskId: Slug,
  competitor: CompetitorId,
  kind: z.enum(['patch', 'tests', 'review', 'requirement']),
  parent: Digest.nullable(),
  repeat: z.number().int().nonnegative(),
  promptVersion: z.string(),
  prompt: z.string(),
  calls: z.array(ModelCall),
  outcome: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('applied'),
      /** The diff as given, before policy and normalisation. */
      given: z.string(),
      /** The diff as applied on the base commit. */
      applied: z.string(),
      changes: AppliedChanges,
      /** For tests: the declared cases in the order of the cap. */
      cases: z.array(z.object({ file: z.string(), case: z.string() })),
      /** What the season's caps cut. */
      overCap: z.array(z.object({ file: z.string(), case: z.string() })).default([]),
      notes: z.array(PatchNote),
    }),
    z.object({
      kind: z.literal('forfeit'),
      reason: ForfeitReason,
      detail: z.string(),
      given: z.string(),
      notes: z.array(PatchNote),
    }),
  ]),
  /** What the model was shown of the repository; none for controls, recorded answers and seasons that show nothing. */
  context: ContextManifest.optional(),
  createdAt: z.iso.datetime(),
})
export type Generation = z.infer<typeof Generation>

/** The cells that a verdict was decided from, by key; null where the round needs none. */
export const RoundCells = z.object({
  base: Digest,
  golden: Digest,
  patch: Digest.nullable(),
  testsOnBase: Digest.nullable(),
  testsOnCommentedBase: Digest.nullable(),
  testsOnGolden: z.array(Digest),
  testsOnPatch: Digest.nullable(),
  lintOnGolden: Digest.nullable(),
  oracle: Digest.nullable(),
})
export type RoundCells = z.infer<typeof RoundCells>

/** One of several patches that a side drew at a temperature above 0. */
export const DrawnPatch = z.object({
  patch: Digest,
  /** The chooser's probability that it is right, 0 to 1; null where it gave none. */
  score: z.number().min(0).max(1).nullable(),
  /** What the chooser was asked and said; null where it was not asked. */
  assessment: Digest.nullable(),
  playable: z.enum(['yes', 'no', 'unknown']),
  /** By the upstream tests. */
  resolved: z.enum(['yes', 'no', 'unknown']),
  cell: Digest.nullable(),
  oracle: Digest.nullable(),
})
export type DrawnPatch = z.infer<typeof DrawnPatch>

/** Best of k: all patches of a side in the order in which they were drawn, and who chose. */
export const Draw = z.object({
  temperature: z.number().positive(),
  /** `first`: no verifier, or it scored none of them; then the first one that applies is taken. */
  chosenBy: z.enum(['verifier', 'first']),
  verifier: z.string().nullable(),
  patches: z.array(DrawnPatch).min(1),
})
export type Draw = z.infer<typeof Draw>

/** One patch and one set of reviewer tests for one task → one verdict. */
export const Round = z.object({
  /** Digest of season, task, submitter, reviewer, repeat and, where there is one, turn. */
  id: Digest,
  season: Slug,
  seasonDigest: Digest,
  battle: Digest,
  task: Digest,
  taskId: Slug,
  submitter: CompetitorId,
  reviewer: CompetitorId,
  /** Rounds with a control on either side are shown apart and never rated. */
  control: z.boolean(),
  /** Its place in a battle whose rounds follow each other, from 1; absent where they are played side by side. */
  turn: z.number().int().positive().optional(),
  patch: Digest,
  /** Null when the protocol ended the round before the reviewer was asked. */
  tests: Digest.nullable(),
  /** Where the submitter drew several patches: all of them, `patch` being the chosen one. */
  draw: Draw.optional(),
  cells: RoundCells,
  environment: Digest,
  verdict: Verdict,
  settledAt: z.iso.datetime(),
})
export type Round = z.infer<typeof Round>

/** Every generation that a round names, each once. */
export const generationIdsOf = ({
  patch,
  tests,
  draw,
}: Pick<Round, 'patch' | 'tests' | 'draw'>): readonly Digest[] => [
  ...new Set([
    patch,
    ...(draw?.patches.map((drawn) => drawn.patch) ?? []),
    ...(tests === null ? [] : [tests]),
  ]),
]

/** What a verifier said of the drawn patches of a round. */
export const assessmentIdsOf = ({ draw }: Pick<Round, 'draw'>): readonly Digest[] =>
  draw?.patches.flatMap(({ assessment }) => assessment ?? []) ?? []
