import { applyAnswer } from '../patch/apply-answer.ts'
import { renderDiff } from '../patch/render-diff.ts'
import { applyReviewerPolicy, type ReviewerAdapter, type ReviewerCaps } from '../patch/reviewer-policy.ts'
import { applySubmitterPolicy, type SubmitterPolicyRequest } from '../patch/submitter-policy.ts'
import type { ApplyOutcome } from '../players/generate.ts'
import type { AnswerContent } from '../schema/answer.ts'
import type { RepoView } from '../schema/tree.ts'

export interface ApplyForRoleRequest {
  readonly kind: 'patch' | 'tests'
  /** A git repository with the base tree at HEAD; it is never written. */
  readonly template: string
  /** The same tree. */
  readonly base: RepoView
  readonly adapter: ReviewerAdapter & SubmitterPolicyRequest['adapter']
  readonly caps: ReviewerCaps
  readonly content: AnswerContent
}

/** An answer on the base commit, after the path policy of its role. */
export async function applyForRole(request: ApplyForRoleRequest): Promise<ApplyOutcome> {
  const { kind, base, adapter } = request
  const result = await applyAnswer(request)
  if (result.kind !== 'applied')
    return { kind: 'rejected', reason: result.kind, detail: result.detail, notes: result.notes }
  if (kind === 'patch') {
    const { changes, notes } = applySubmitterPolicy({ changes: result.changes, base, adapter })
    const all = [...result.notes, ...notes]
    if (changes.changes.length === 0)
      return {
        kind: 'rejected',
        reason: 'empty',
        detail: 'nothing is left of the patch after the path policy',
        notes: all,
      }
    return {
      kind: 'applied',
      applied: renderDiff(base, changes),
      changes,
      cases: [],
      overCap: [],
      notes: all,
    }
  }
  const { changes, cases, overCap, notes } = applyReviewerPolicy({
    changes: result.changes,
    base,
    adapter,
    caps: request.caps,
  })
  const all = [...result.notes, ...notes]
  if (cases.length === 0)
    return {
      kind: 'rejected',
      reason: 'no-cases',
      detail: 'the answer adds no test case that may be run',
      notes: all,
    }
  return { kind: 'applied', applied: renderDiff(base, changes), changes, cases, overCap, notes: all }
}
