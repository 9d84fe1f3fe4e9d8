import { z } from 'zod'
import { Digest, RepoPath } from './ids.ts'
import { ArmedProcess, CaseOutcome, ProcessReport, TestResult } from './test-result.ts'

/** GitHub's words for how a step or job ended, plus the two that never score. */
export const Conclusion = z.enum([
  'success',
  'failure',
  'cancelled',
  'skipped',
  'timed_out',
  'unsupported',
  'infra_error',
])
export type Conclusion = z.infer<typeof Conclusion>

export const SandboxName = z.enum(['bubblewrap', 'docker', 'fake'])
export type SandboxName = z.infer<typeof SandboxName>

/** A limit that the sandbox was asked for, and what enforced it (`none`: nothing did). */
export const EnforcedLimit = z.object({
  limit: z.enum(['memory', 'pids', 'cpus', 'disk', 'network', 'time', 'output']),
  value: z.string(),
  by: z.enum(['cgroup-v1', 'cgroup-v2', 'rlimit', 'tmpfs', 'namespace', 'docker', 'runner', 'none']),
})
export type EnforcedLimit = z.infer<typeof EnforcedLimit>

/** Evidence, from outside the sandbox, that the machine broke and not the code in it. */
export const InfraEvidence = z.object({
  source: z.enum(['daemon', 'host-disk', 'host-memory', 'warm-network', 'sandbox', 'probe']),
  message: z.string(),
})
export type InfraEvidence = z.infer<typeof InfraEvidence>

export const StepResult = z.object({
  /** 0-based place in the planned job. */
  index: z.number().int().nonnegative(),
  name: z.string(),
  /** The action as written (`actions/checkout@v4`); null for a `run` step. */
  uses: z.string().nullable(),
  /** The result before continue-on-error is applied. */
  outcome: Conclusion,
  conclusion: Conclusion,
  /** From the kernel or the daemon, never from the log. */
  exitCode: z.number().int().nullable(),
  durationMs: z.number().nonnegative(),
  /** Standard output and error, interleaved, decoded with replacement; kept by content. */
  log: Digest.nullable(),
  /** Bytes dropped from the middle of the log because of the output cap. */
  droppedBytes: z.number().int().nonnegative(),
  /** What the arena did that the workflow does not say: an action mapped, a tool substituted, an environment added. */
  notes: z.array(z.string()),
})
export type StepResult = z.infer<typeof StepResult>

/** The second, armed run of a leg's test steps (DESIGN: forged results). */
export const ArmedRun = z.object({
  /** The armed test steps with their conclusions; they fail by design. */
  steps: z.array(StepResult),
  processes: z.array(ArmedProcess),
})
export type ArmedRun = z.infer<typeof ArmedRun>

/** One job with one matrix combination on one tree. */
export const LegResult = z.object({
  /** GitHub's display form: `test`, `test (3.11, release)`. */
  leg: z.string(),
  job: z.string(),
  matrix: z.record(z.string(), z.unknown()),
  status: Conclusion,
  /** Why it is skipped, unsupported or infra_error; a sentence with file and line where there is one. */
  reason: z.string().nullable(),
  steps: z.array(StepResult),
  /** Index of the first step whose processes reported cases; null in a leg without tests. */
  testStep: z.number().int().nonnegative().nullable(),
  /** What the plain run's test processes reported. */
  processes: z.array(ProcessReport),
  armed: ArmedRun.nullable(),
  limits: z.array(EnforcedLimit),
  infra: InfraEvidence.nullable(),
  durationMs: z.number().nonnegative(),
  /** CPU time of everything in the sandbox, and its peak memory, where the sandbox can tell. */
  cpuMs: z.number().nonnegative().nullable(),
  peakMemoryMiB: z.number().nonnegative().nullable(),
})
export type LegResult = z.infer<typeof LegResult>

/** One planned workflow executed on one tree: the cells base, golden and patch, each plain and armed. */
export const CiRun = z.object({
  kind: z.literal('workflow'),
  /** Digest of the tree's bytes (see ci/tree.ts). */
  tree: Digest,
  legs: z.array(LegResult),
})
export type CiRun = z.infer<typeof CiRun>

/** A case of a reviewer's or upstream test file; `parts` are its parameters and subtests. */
export const CaseResult = z.object({
  case: z.string(),
  outcome: CaseOutcome,
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  parts: z.array(TestResult),
  log: Digest.nullable(),
  durationMs: z.number().nonnegative(),
})
export type CaseResult = z.infer<typeof CaseResult>

export const FileResult = z.object({
  path: RepoPath,
  built: z.boolean(),
  /** The command that built it and the one that ran each case, as shown on the round page. */
  commands: z.array(z.string()),
  buildLog: Digest.nullable(),
  cases: z.array(CaseResult),
})
export type FileResult = z.infer<typeof FileResult>

/** The added step `arena tests`: each file built in a tree of its own, each case in a process of its own. */
export const TestsRun = z.object({
  kind: z.literal('tests'),
  tree: Digest,
  legs: z.array(
    z.object({
      leg: z.string(),
      files: z.array(FileResult),
      limits: z.array(EnforcedLimit),
      infra: InfraEvidence.nullable(),
      durationMs: z.number().nonnegative(),
    }),
  ),
})
export type TestsRun = z.infer<typeof TestsRun>

export const CellRun = z.discriminatedUnion('kind', [CiRun, TestsRun])
export type CellRun = z.infer<typeof CellRun>
