import { digestOfValue } from '../schema/canonical.ts'
import type { Digest } from '../schema/ids.ts'

export interface GenerationIdentity {
  /** Digest of the task. */
  readonly task: string
  readonly competitor: string
  /** Digest of the competitor's settings: other settings or recorded answers are another generation. */
  readonly settings: string
  readonly kind: 'patch' | 'tests' | 'review' | 'requirement'
  readonly promptVersion: string
  readonly statement: string
  /** What retrieval packed, as text. */
  readonly context: string
  readonly parent: string | null
  readonly repeat: number
}

/** The name under which a generation is kept and found again. */
export const generationId = (identity: GenerationIdentity): Digest => digestOfValue({ ...identity })
