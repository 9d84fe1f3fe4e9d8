import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command, LanguageAdapter, ReportFiles, TestFilePlan } from '../../languages/adapter.ts'
import { TOOLS } from '../../languages/shared/tools-folder.ts'
import type { TestStatus } from '../../src/schema/test-result.ts'
import type { FileChange, RepoView } from '../../src/schema/tree.ts'
import { changedView } from '../../src/task/repo-view.ts'
import { writeTree } from '../helpers/repository.ts'

const toolsFolder = fileURLToPath(new URL('../../languages/tools', import.meta.url))

export interface Ran {
  readonly exitCode: number | null
  readonly output: string
  readonly reports: ReportFiles
}

/** A repository in a temporary folder, as text files; it is removed by its own dispose. */
export interface Workplace {
  readonly repo: string
  readonly tree: RepoView
  /** Runs a script as a step does, with the adapter's wrappers; reports go to a folder of their own each time. */
  run(script: string, env?: Readonly<Record<string, string>>, cwd?: string): Ran
  write(changes: readonly FileChange[]): void
  /** Takes back what was written since it was made; build outputs stay. */
  reset(): void
  [Symbol.dispose](): void
}

/** `path`: folders before the machine's own PATH, to test with another version of a tool. */
export function workplace(
  adapter: LanguageAdapter,
  files: Readonly<Record<string, string>>,
  options: { readonly path?: readonly string[]; readonly env?: Readonly<Record<string, string>> } = {},
): Workplace {
  const folder = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'arena-languages-'))
  const repo = join(folder, 'repo')
  writeTree(repo, { ...files, '.git/HEAD': 'ref: refs/heads/main\n' })
  let runs = 0
  const written = new Set<string>()
  return {
    repo,
    tree: changedView({ list: () => [], read: () => undefined }, changesOf(files)),
    run(script, env = {}, cwd = '.') {
      runs += 1
      const reports = join(folder, `reports-${runs}`)
      mkdirSync(reports)
      const reporting = adapter.reporting(reports)
      const onHost = (text: string): string => text.replaceAll(TOOLS, toolsFolder)
      const outside = [...(options.path ?? []), process.env.PATH ?? '']
      const own: Record<string, string> = {
        ...withoutToolVariables(process.env),
        PYTHONDONTWRITEBYTECODE: '1',
        ...options.env,
        ...env,
      }
      const joined = reporting.joined.map(({ name, value, separator }) => {
        const ours = onHost(value)
        return [name, own[name] ? `${ours}${separator}${own[name]}` : ours]
      })
      const result = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', onHost(script)], {
        cwd: join(repo, cwd),
        env: {
          ...own,
          ...Object.fromEntries(Object.entries(reporting.env).map(([name, value]) => [name, onHost(value)])),
          ...Object.fromEntries(joined),
          GITHUB_WORKSPACE: repo,
          PATH: [...reporting.path.map(onHost), ...outside].join(':'),
        },
        encoding: 'utf8',
        timeout: 300_000,
        maxBuffer: 1 << 28,
      })
      return {
        exitCode: result.status,
        output: `${result.stdout}${result.stderr}`,
        reports: readReports(reports),
      }
    },
    write(changes) {
      for (const change of changes) {
        written.add(change.path)
        if (change.change === 'delete') rmSync(join(repo, change.path), { force: true })
        else writeTree(repo, { [change.path]: Buffer.from(change.contentBase64, 'base64').toString('utf8') })
      }
    },
    reset() {
      for (const path of written) {
        const text = files[path]
        if (text === undefined) rmSync(join(repo, path), { force: true })
        else writeTree(repo, { [path]: text })
      }
      written.clear()
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** What a developer's own shell sets must not steer the tests. */
function withoutToolVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  const foreign = /^(GOFLAGS|PYTHONPATH|PYTEST_|RUSTFLAGS|RUST_|RUSTC|RUSTDOC|GTEST_|CTEST_|CARGO_TARGET_)/
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || foreign.test(name) ? [] : [[name, value]],
    ),
  )
}

function readReports(folder: string): ReportFiles {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [relative(folder, path), readFileSync(path)]
      }),
  )
}

export function changesOf(files: Readonly<Record<string, string>>): FileChange[] {
  return Object.entries(files).map(([path, text]) => ({
    change: 'write',
    path,
    mode: '100644',
    contentBase64: Buffer.from(text, 'utf8').toString('base64'),
  }))
}

/** `suite::name` → status, of all processes of a run together. */
export function statuses(adapter: LanguageAdapter, ran: Ran): Record<string, TestStatus> {
  return Object.fromEntries(
    adapter
      .readReports(ran.reports)
      .flatMap((report) => report.cases)
      .map((result) => [`${result.suite}::${result.name}`, result.status]),
  )
}

/** What the armed run says of each sentinel: `failed` and the exit code, or what stands in its place. */
export function armedOutcomes(
  adapter: LanguageAdapter,
  place: Workplace,
  plain: Ran,
  script: string,
): { readonly outcomes: Record<string, string>; readonly ran: Ran } {
  const plan = adapter.arm(place.tree, adapter.readReports(plain.reports), 'quartz')
  place.write(plan.changes)
  const ran = place.run(script, plan.env)
  const reports = adapter.readReports(ran.reports)
  const outcomes = [...plan.sentinels].map(([process, sentinel]) => {
    const report = reports.find((candidate) => candidate.process === process)
    const found = report?.cases.find((test) => test.suite === sentinel.suite && test.name === sentinel.name)
    return [process, `${found?.status ?? 'absent'}, exit ${report?.exitCode ?? report?.signal ?? 'unknown'}`]
  })
  return { outcomes: Object.fromEntries(outcomes), ran }
}

/** Runs one case of a plan as the step `arena tests` does. */
export function runCase(
  place: Workplace,
  plan: TestFilePlan,
  name: string,
  cwd = '.',
  env: Readonly<Record<string, string>> = {},
): ReturnType<TestFilePlan['readCase']> & { readonly ran: Ran } {
  const command: Command = plan.runCase(name)
  const ran = place.run(command.script, { ...env, ...command.env }, cwd)
  return { ...plan.readCase(name, ran.reports), ran }
}

export const hasTool = (name: string): boolean => spawnSync('which', [name]).status === 0
