import { z } from 'zod'
import { Digest, Slug } from './ids.ts'
import { ModelCall } from './match.ts'

/** What came of asking: a score, or why there is none. Never a verdict. */
export const AssessmentOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('scored'),
    /** 0 to 1: the probability of yes, or the mean of a scale. */
    score: z.number().min(0).max(1),
    /** `first-token`: by its log probabilities; `samples`: the mean of answers that could be read. */
    how: z.enum(['first-token', 'samples']),
  }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
])
export type AssessmentOutcome = z.infer<typeof AssessmentOutcome>

/** What a model said of a patch or of a task's statement, with the whole exchange. */
export const Assessment = z.object({
  /** Digest of everything that was asked, and of the model's settings. */
  id: Digest,
  kind: z.enum(['right', 'clarity']),
  task: Digest,
  taskId: Slug,
  /** Digest of what was assessed. */
  subject: Digest,
  model: z.string(),
  promptVersion: z.string(),
  prompt: z.string(),
  calls: z.array(ModelCall),
  outcome: AssessmentOutcome,
  createdAt: z.iso.datetime(),
})
export type Assessment = z.infer<typeof Assessment>
