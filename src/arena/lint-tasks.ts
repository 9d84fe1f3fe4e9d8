import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languages } from '../../languages/index.ts'
import { InputError } from '../errors.ts'
import type { LintFinding, LintProfile } from '../schema/lint.ts'
import { lintTask } from '../task/lint.ts'
import { findTaskFolders, loadTask } from '../task/load.ts'
import { putInPlay } from './tasks-in-play.ts'
import { readRecord } from './verify-tasks.ts'

export interface LintedTask {
  readonly folder: string
  readonly task: string
  readonly findings: readonly LintFinding[]
}

/**
 * Lints task folders, or folders of them; absolute. Nothing of a task is run. A folder that cannot be read is a finding like
 * any other.
 */
export async function lintTasks(
  paths: readonly string[],
  profile: LintProfile,
): Promise<readonly LintedTask[]> {
  const folders = (await Promise.all(paths.map(findTaskFolders))).flat()
  const templates = await mkdtemp(join(tmpdir(), 'arena-lint-'))
  try {
    const linted: LintedTask[] = []
    for (const folder of folders) linted.push(await lintFolder(folder, templates, profile))
    return linted
  } finally {
    await rm(templates, { recursive: true, force: true })
  }
}

async function lintFolder(folder: string, templates: string, profile: LintProfile): Promise<LintedTask> {
  try {
    const loaded = await loadTask(folder)
    const { id, language } = loaded.task
    const { prepared } = await putInPlay(loaded, templates)
    const record = await readRecord(folder)
    const unverified: LintFinding = {
      code: 'not-verified',
      severity: 'warning',
      message: record ? 'it was verified before its files changed' : 'it is not verified',
      remedy: `arena task verify ${folder}`,
    }
    const isVerified = record?.task === loaded.digest && record.verification.stage === 'accepted'
    const findings = lintTask(prepared, languages[language], profile)
    return { folder, task: id, findings: isVerified ? findings : [...findings, unverified] }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    // The message names place and remedy.
    const finding = { code: 'unreadable', severity: 'error', message: error.message, remedy: '' } as const
    return { folder, task: folder, findings: [finding] }
  }
}
