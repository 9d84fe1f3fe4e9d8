/** GitHub's own words: https://docs.github.com/en/issues/tracking-your-work-with-issues/linking-a-pull-request-to-an-issue */
const CLOSES =
  /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+(?:[\w.-]+\/[\w.-]+)?(?:#|gh-|https?:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+\/issues\/)(\d{1,9})\b/gi
/** Of a merge: `Merge pull request #12 from ann/fix-34`. */
const MERGED_BRANCH = /^Merge (?:pull request #\d+ from \S+?\/(\S+)|branch '([^']+)')/
/** An issue's number in a branch's name: `fix-34`, `issue/34-empty-input`, `gh-34`. A bare number may be anything. */
const IN_BRANCH = /(?:^|[/_-])(?:issue|bug|fix|gh)[/_#-]?(\d{1,9})(?=$|[/_-])/i

/** Numbers of the issues that a commit closes, by its message or by the branch that it merges, each once, in order. */
export function closingReferences(message: string): readonly number[] {
  const branch = MERGED_BRANCH.exec(message)
  const inBranch = IN_BRANCH.exec(branch?.[1] ?? branch?.[2] ?? '')?.[1]
  const said = [...message.matchAll(CLOSES)].map(([, number]) => Number(number))
  return [...new Set([...said, ...(inBranch === undefined ? [] : [Number(inBranch)])])]
}
