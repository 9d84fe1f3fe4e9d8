import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoInLayer } from '../../src/ci/runners/port.ts'
import { digestOfValue } from '../../src/schema/canonical.ts'
import type { LanguageId } from '../../src/schema/language.ts'
import type { PreparedTask } from '../../src/schema/prepared.ts'
import { Task } from '../../src/schema/task.ts'
import type { AppliedChanges, FileChange } from '../../src/schema/tree.ts'

export interface TaskInput {
  /** Path → text of the base tree. */
  readonly files: Readonly<Record<string, string>>
  readonly workflow: string
  readonly jobs: readonly string[]
  readonly matrix?: Readonly<Record<string, string | number | boolean>>
  readonly env?: Readonly<Record<string, string>>
  readonly language?: LanguageId
  readonly network?: 'none' | 'set-up'
}

const WORKFLOW = '.github/workflows/ci.yml'

/** A prepared task in a folder: one root commit with fixed author and dates, in layer form. */
export function preparedTask(folder: string, input: TaskInput): PreparedTask {
  const files: Readonly<Record<string, string>> = { ...input.files, [WORKFLOW]: input.workflow }
  const repo = join(folder, repoInLayer('demo'))
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true })
    writeFileSync(join(repo, path), text)
  }
  commitAll(repo)
  const task = Task.parse({
    schemaVersion: 1,
    id: 'demo',
    repository: { name: 'example/demo', path: '.' },
    language: input.language ?? 'python',
    baseCommit: '0'.repeat(40),
    statements: { original: 'issue.md' },
    origin: 'authored',
    goldenPatch: null,
    testPatch: null,
    ci: {
      workflow: WORKFLOW,
      jobs: input.jobs,
      env: input.env ?? {},
      network: input.network ?? 'none',
      ...(input.matrix ? { matrix: input.matrix } : {}),
    },
    FAIL_TO_PASS: [],
    PASS_TO_PASS: [],
    created: '2024-01-01T00:00:00Z',
    source: 'made by the test',
  })
  const none: AppliedChanges = { digest: digestOfValue([]), changes: [] }
  return {
    loaded: {
      task,
      folder,
      digest: digestOfValue({ files, task }),
      statements: { original: 'It is broken.', refined: null },
      goldenPatch: null,
      testPatch: null,
    },
    layer: folder,
    template: repo,
    repoName: 'demo',
    base: {
      list: () => Object.keys(files).sort(),
      read: (path) => (path in files ? Buffer.from(files[path] ?? '') : undefined),
    },
    golden: null,
    upstreamTests: null,
    commentedBase: none,
    commentedGolden: null,
  }
}

/** Whole files as changes; null deletes. */
export function changesOf(files: Readonly<Record<string, string | null>>): AppliedChanges {
  const changes = Object.entries(files).map(
    ([path, text]): FileChange =>
      text === null
        ? { change: 'delete', path }
        : { change: 'write', path, mode: '100644', contentBase64: Buffer.from(text).toString('base64') },
  )
  return { digest: digestOfValue(changes), changes }
}

function commitAll(repo: string): void {
  const who = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const when = { GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z' }
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: repo,
      env: { PATH: process.env.PATH ?? '', HOME: repo, ...who, ...when },
      stdio: 'ignore',
    })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'Base')
}
