import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { competitorsFolder } from './example-tree.ts'

/** The diff of a recorded answer: what is thought before it does not count. */
export function readRecorded(competitor: string, taskId: string, role: 'patch' | 'tests'): string {
  const text = readFileSync(join(competitorsFolder, competitor, taskId, `${role}.md`), 'utf8')
  const said = text.replace(/^<think>[\s\S]*?^<\/think>/m, '')
  const blocks = [...said.matchAll(/^```diff\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  const [diff] = blocks
  if (diff === undefined || blocks.length !== 1)
    throw new Error(`${competitor}, ${taskId}, ${role}: expected one diff, found ${blocks.length}`)
  return diff
}
