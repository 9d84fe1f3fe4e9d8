import type { LanguageId } from '../src/schema/language.ts'
import type { ProcessReport, TestResult } from '../src/schema/test-result.ts'
import type { FileChange, RepoView } from '../src/schema/tree.ts'

/**
 * `source`: product code. `test`: only tests. `workflow`: anything under .github. `runner-control`: files that steer the test
 * runner (conftest.py, pytest.ini, sitecustomize.py, .cargo/config.toml, …). `other`: documentation, data, build files.
 */
export type PathClass = 'source' | 'test' | 'workflow' | 'runner-control' | 'other'

/** A test function whose name stands literally in its file. */
export interface TestCase {
  /** As a command line selects it, without parameters: `test_x`, `TestClass::test_x`, `TestX`, `module::name`, `Suite.Name`. */
  readonly name: string
  /** 1-based, inclusive. */
  readonly startLine: number
  readonly endLine: number
  readonly text: string
}

/** A shell script run by `bash --noprofile --norc -eo pipefail` in the test step's folder, with its environment and `env` on top. */
export interface Command {
  readonly script: string
  readonly env: Readonly<Record<string, string>>
}

/** A test step of a leg, resolved: what `arena tests` keeps of it. */
export interface TestStepContext {
  /** The step's own script. */
  readonly run: string
  /** Absolute inside the sandbox. */
  readonly repo: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Report files that the wrappers wrote, by path relative to the report folder. */
export type ReportFiles = ReadonlyMap<string, Buffer>

/** A variable that a step may set too: ours comes first, then the separator, then the step's own value where it has one. */
export interface JoinedVariable {
  readonly name: string
  readonly value: string
  readonly separator: string
}

export interface Reporting {
  /** Added to every step's environment so that tools report per case; shown with the run. */
  readonly env: Readonly<Record<string, string>>
  readonly joined: readonly JoinedVariable[]
  /** Folders put before PATH. */
  readonly path: readonly string[]
}

export interface ArmPlan {
  /** Test files with a sentinel added: a test of random name that looks like the others and must fail. */
  readonly changes: readonly FileChange[]
  /** Process id → the sentinel that must be reported failed there. */
  readonly sentinels: ReadonlyMap<string, { readonly suite: string; readonly name: string }>
  /** Added to the armed test steps: stop-early flags are dropped by the wrappers. */
  readonly env: Readonly<Record<string, string>>
}

export interface TestFilePlan {
  /** Written into the tree before the build: the file with its sentinel, and what registers it with the build. */
  readonly changes: readonly FileChange[]
  readonly build: Command | null
  /**
   * Runs one case and the sentinel, in one new process. The command's exit code is that process's own, as its tool gives it:
   * with a failed sentinel never 0. Only in armed steps (`arm`) do the wrappers end with 0 whatever the tests did.
   */
  runCase(name: string): Command
  /** Reads what runCase reported: the case's parts (parameters, subtests), and whether the sentinel was reported failed. */
  readCase(
    name: string,
    reports: ReportFiles,
  ): { readonly parts: readonly TestResult[]; readonly sentinelFailed: boolean }
}

/** One file a language. All methods are pure: they make text and read bytes, and never touch a disk or a process. */
export interface LanguageAdapter {
  readonly id: LanguageId
  readonly label: string
  /** Names in Toolchains.tools that its tasks need, with the distribution package of each. */
  readonly tools: readonly { readonly tool: string; readonly debian: string }[]
  /** Plain words for the prompt: where tests live, how they run, what a reviewer may write. */
  readonly conventions: string
  classify(path: string): PathClass
  /** The file with a comment line added that changes nothing; undefined when the file cannot carry one. */
  withComment(path: string, text: string, comment: string): string | undefined
  casesIn(path: string, text: string): readonly TestCase[]
  /** Undefined when a reviewer may write this test file, else the reason why not. */
  refusesTestFile(path: string, existsAtBase: boolean): string | undefined
  /** The patched file with its inline test items taken from base (Rust `#[cfg(test)]`); the same text elsewhere. */
  withTestsOfBase(path: string, patched: string, base: string | undefined): string
  /**
   * Run once a task, on its base tree, offline; what it writes outside the repository lies under every tree of the task.
   * For build caches that are keyed by content, so that the standard library is not compiled in every sandbox anew.
   */
  readonly warmUp?: Command
  /** Whether the script of a step runs this language's tests. */
  isTestCommand(script: string): boolean
  /** `reports`: the report folder inside the sandbox. */
  reporting(reports: string): Reporting
  readReports(files: ReportFiles): readonly ProcessReport[]
  /**
   * `processes`: what the plain run of base reported. `word`: random letters, the same for all trees of a task's cells.
   * Processes that cannot be armed are left out of `sentinels`.
   */
  arm(tree: RepoView, processes: readonly ProcessReport[], word: string): ArmPlan
  /** `word` as in arm. `path` is in `files`, the reviewer's or upstream files, which are not yet in `tree`. */
  planTestFile(
    tree: RepoView,
    files: readonly FileChange[],
    path: string,
    step: TestStepContext,
    word: string,
  ): TestFilePlan
  /** The control `always-fail-tests`: a test file of one case that fails on any tree. */
  alwaysFailTest(tree: RepoView): { readonly path: string; readonly text: string; readonly name: string }
}
