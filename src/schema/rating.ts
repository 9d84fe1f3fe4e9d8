import { z } from 'zod'
import { TestKey } from './verdict.ts'

/** `record`: under 10 battles, no rating. `provisional`: shown unranked. `rated`: ranked. */
export const RatingState = z.enum(['record', 'provisional', 'rated', 'retired'])
export type RatingState = z.infer<typeof RatingState>

export const StandingRow = z.object({
  competitor: z.string(),
  label: z.string(),
  state: RatingState,
  /** Points of the paper, over both roles. */
  points: z.number(),
  patchPoints: z.number(),
  reviewPoints: z.number(),
  /** Null under 10 battles, and where only a limit is known. */
  rating: z.number().nullable(),
  /** Of the difference to the centre, in rating points. */
  se: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  patchRating: z.number().nullable(),
  reviewRating: z.number().nullable(),
  /** How decisive battles bound the rating: `at-least` has only `low`, `at-most` only `high`, `none` neither. */
  bounded: z.enum(['both', 'at-least', 'at-most', 'none']).nullable(),
  /** Simultaneous 95 % interval of the rank; null for what is not ranked. */
  rankBest: z.number().int().nullable(),
  rankWorst: z.number().int().nullable(),
  battles: z.number().int(),
  /** Battles by their two rounds: won the decisive ones, lost them, or split. */
  wins: z.number().int(),
  losses: z.number().int(),
  draws: z.number().int(),
  rounds: z.number().int(),
  voids: z.number().int(),
  forfeits: z.number().int(),
  /** Share of its patches that the upstream tests call resolved; null without an oracle. */
  resolvedShare: z.number().nullable(),
  /** As reviewer: of the wrong patches that it met with an admitted test, the share that survived. Null without any. */
  escapeRate: z.number().nullable(),
  /** As reviewer: of the right patches that it met with an admitted test, the share that it killed. Null without any. */
  falseKillRate: z.number().nullable(),
  /** Of its kills, the share that nobody else's word stands beside; null without a court or a kill. */
  contestedShare: z.number().nullable(),
  tasks: z.number().int(),
  opponents: z.number().int(),
})
export type StandingRow = z.infer<typeof StandingRow>

export const ControlRow = z.object({
  control: z.string(),
  role: z.enum(['submitter', 'reviewer']),
  rounds: z.number().int(),
  /** Rounds with at least one admitted test. */
  counted: z.number().int(),
  /** Share of counted rounds in which the patch survived; null when none counted. */
  survived: z.number().nullable(),
  expected: z.string(),
  holds: z.boolean(),
})
export type ControlRow = z.infer<typeof ControlRow>

/** What the kill court of a season found. */
export const CourtReport = z.object({
  /** Null when it was held; else why not. */
  notHeld: z.string().nullable(),
  overSpecified: z.array(
    z.object({
      task: z.string(),
      reviewer: z.string(),
      key: TestKey,
      /** Right patches of other teams that it fails, of how many. */
      fails: z.number().int(),
      of: z.number().int(),
      teams: z.number().int(),
    }),
  ),
  /** Kills as judged. */
  kills: z.object({ corroborated: z.number().int(), contested: z.number().int() }),
  /** Rounds that the reviewer had won, and that the submitter wins after the court. */
  changed: z.array(
    z.object({ round: z.string(), task: z.string(), submitter: z.string(), reviewer: z.string() }),
  ),
})
export type CourtReport = z.infer<typeof CourtReport>

export const Standings = z.object({
  season: z.string(),
  title: z.string(),
  protocol: z.string(),
  tasks: z.array(z.object({ id: z.string(), language: z.string() })),
  /** After the kill court, where it was held. */
  rows: z.array(StandingRow),
  court: CourtReport,
  /** The rows without the court, where it changed a verdict; else null. */
  asJudged: z.array(StandingRow).nullable(),
  controls: z.array(ControlRow),
  rounds: z.number().int(),
  battles: z.number().int(),
  voidRounds: z.number().int(),
  /** Said in words above the table: why the order is only provisional, what the centre is. */
  remarks: z.array(z.string()),
})
export type Standings = z.infer<typeof Standings>
