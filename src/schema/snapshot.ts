import { z } from 'zod'
import { Digest, Slug } from './ids.ts'
import { Protocol } from './match.ts'
import { StandingRow, Standings } from './rating.ts'

/** A data file by the digest of its canonical text: its rows in code-unit order. */
export const SnapshotFile = z.object({ sha256: Digest, rows: z.number().int().nonnegative() })
export type SnapshotFile = z.infer<typeof SnapshotFile>

/** One language, repository or band of difficulty, fitted by itself. */
export const Slice = z.object({
  by: z.enum(['language', 'repository', 'difficulty']),
  value: z.string(),
  tasks: z.number().int(),
  battles: z.number().int(),
  rows: z.array(
    StandingRow.pick({ competitor: true, state: true, rating: true, low: true, high: true, battles: true }),
  ),
})
export type Slice = z.infer<typeof Slice>

const Strength = z.object({
  competitor: z.string(),
  submitter: z.number(),
  reviewer: z.number(),
  overall: z.number(),
  /** Against the audit model; null where the two cannot differ. */
  auditZ: z.number().nullable(),
})

/** Everything that is computed from the data of a snapshot; numbers to six decimals. */
export const SnapshotResults = z.object({
  standings: Standings.omit({ remarks: true }),
  /** Null where every rated round ended alike. */
  mu: z.number().nullable(),
  strengths: z.array(Strength),
  difficulties: z.array(z.object({ task: z.string(), difficulty: z.number() })),
  auditAlarms: z.array(z.string()),
  /** How few battles, left out, give another first place; null when none do. */
  fragility: z
    .object({
      first: z.string(),
      instead: z.string(),
      battles: z.number().int(),
      of: z.number().int(),
    })
    .nullable(),
  slices: z.array(Slice),
})
export type SnapshotResults = z.infer<typeof SnapshotResults>

/**
 * A season's ratings at one moment: what they were computed from, by digest, with what, and what came out. Its own digest,
 * of its canonical JSON, is its name. Never changed: a correction is another one.
 */
export const Snapshot = z.object({
  format: z.literal(1),
  /** The version of the ratings engine. */
  engine: z.string(),
  season: z.object({ id: Slug, title: z.string(), digest: Digest, protocol: Protocol }),
  anchors: z.array(z.string()),
  parameters: z.object({
    submitterPenalty: z.number(),
    reviewerPenalty: z.number(),
    taskPenalty: z.number(),
    rankSeed: z.number().int(),
    rankReplicates: z.number().int(),
  }),
  files: z.record(z.string(), SnapshotFile),
  /** `sha256`: of the task's own rows, so that a difference has a place. */
  tasks: z.array(
    z.object({ task: z.string(), language: z.string(), repository: z.string(), sha256: Digest }),
  ),
  results: SnapshotResults,
})
export type Snapshot = z.infer<typeof Snapshot>
