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
  /** Digest of what else was shown: a rival's patch, what came of earlier rounds. Absent where nothing was. */
  readonly shown?: string | undefined
  readonly parent: string | null
  readonly repeat: number
  /** Which of several drawn from one asking, from 0, and the temperature at which; absent where one is made. */
  readonly sample?: number | undefined
  readonly temperature?: number | undefined
}

/** The name under which a generation is kept and found again. */
export function generationId({ shown, sample, temperature, ...identity }: GenerationIdentity): Digest {
  return digestOfValue({
    ...identity,
    ...(shown === undefined ? {} : { shown }),
    ...(sample === undefined ? {} : { sample }),
    ...(temperature === undefined ? {} : { temperature }),
  })
}
