import { z } from 'zod'
import { CommitId, RepoPath, Slug } from './ids.ts'
import { LanguageId } from './language.ts'

/** `suite::name` as in TestResult; the same in every leg. */
export const CaseKey = z.string().regex(/^.+?::.+$/s, 'expected suite::name')

const FileName = RepoPath.describe('path relative to the task folder')

/** `task.json`: one repository problem. Paths are relative to the folder that holds it. */
export const Task = z.strictObject({
  schemaVersion: z.literal(1),
  id: Slug.describe('unique name, also in URLs'),
  repository: z
    .strictObject({
      name: z
        .string()
        .regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name')
        .describe('owner/name as on its forge'),
      url: z.url().optional().describe('where it can be cloned, if public'),
      bundle: FileName.optional().describe('a git bundle beside task.json that holds the base commit'),
      path: z.string().optional().describe('a local clone, absolute or relative to the task folder'),
    })
    .refine((repository) => repository.bundle || repository.path, 'needs a bundle or a path'),
  language: LanguageId,
  baseCommit: CommitId.describe('the commit that the issue was written for; patches apply on it'),
  statements: z
    .strictObject({
      original: FileName.describe('the issue as its author wrote it'),
      refined: FileName.optional().describe('a structured requirement made from it'),
    })
    .describe('the issue texts; a season says which one players see'),
  origin: z.enum(['mined', 'live', 'injected', 'authored']),
  goldenPatch: FileName.nullable().describe('the human fix; null for a live issue'),
  testPatch: FileName.nullable().describe('the tests that came with the fix; null for a live issue'),
  ci: z.strictObject({
    workflow: RepoPath.describe('the workflow file in the repository at the base commit'),
    event: z.enum(['push', 'pull_request', 'workflow_dispatch']).default('push'),
    jobs: z.array(z.string()).min(1).describe('job ids that are run; their needs run too'),
    matrix: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('only legs with these matrix values'),
    network: z
      .enum(['none', 'set-up'])
      .default('none')
      .describe('`set-up`: steps that install are run once with a network, on the base commit alone'),
    substitute: z
      .boolean()
      .describe('legs run with the version at hand where another is asked for; they are marked')
      .optional(),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('environment that the runner adds to every step'),
  }),
  testCommand: z
    .strictObject({
      build: z.string().optional().describe('builds one test file; {file} and {target} are replaced'),
      case: z.string().describe('runs one case; {file} and {case} are replaced'),
    })
    .optional()
    .describe('how one test file is built and one case is run, where the language adapter cannot tell'),
  FAIL_TO_PASS: z.array(CaseKey).describe('cases that fail at base and pass with the golden patch'),
  PASS_TO_PASS: z.array(CaseKey).describe('cases that pass before and after'),
  created: z.iso.datetime().describe('when the issue was written'),
  source: z.string().describe('where it comes from: a URL, or how it was made'),
  licence: z.string().optional().describe('SPDX id of the repository'),
})
export type Task = z.infer<typeof Task>

/** A task with its files read: everything that a match needs, and nothing that needs the folder again. */
export interface LoadedTask {
  readonly task: Task
  /** Absolute path of the folder that holds task.json. */
  readonly folder: string
  /** SHA-256 over task.json and the files it names. */
  readonly digest: string
  readonly statements: { readonly original: string; readonly refined: string | null }
  /** Bytes of the diffs, null for a live issue. */
  readonly goldenPatch: Buffer | null
  readonly testPatch: Buffer | null
}
