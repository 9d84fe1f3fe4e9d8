import { existsSync, readdirSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { languages } from '../../languages/index.ts'
import { createBubblewrapRunner } from '../ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../ci/runners/docker.ts'
import type { Runner, RunnerProbe } from '../ci/runners/port.ts'
import { findToolchains, type Toolchains } from '../ci/toolchains.ts'
import type { Config } from '../config.ts'
import { EnvironmentError } from '../errors.ts'
import type { LanguageId } from '../schema/language.ts'

/** Where CI runs: a sandbox that was tried, and the toolchains that it offers. */
export interface Workplace {
  readonly runner: Runner
  readonly probe: RunnerProbe
  readonly toolchains: Toolchains
  /** Folder of this process alone, below the data folder. */
  readonly workFolder: string
  readonly templates: string
  close(): Promise<void>
}

export function runnersOf(config: Config): readonly Runner[] {
  const workFolder = join(config.dataDir, 'work', 'sandboxes')
  const bubblewrap = createBubblewrapRunner({ workFolder })
  const docker = createDockerRunner({ workFolder, ...(config.dockerHost ? { host: config.dockerHost } : {}) })
  if (config.sandbox === 'bubblewrap') return [bubblewrap]
  if (config.sandbox === 'docker') return [docker]
  return [bubblewrap, docker]
}

/** Work folders of processes that no longer live. */
async function removeStaleFolders(work: string): Promise<void> {
  if (!existsSync(work)) return
  for (const name of readdirSync(work)) {
    const pid = /^run-(\d+)$/.exec(name)?.[1]
    if (pid && !existsSync(`/proc/${pid}`)) await rm(join(work, name), { recursive: true, force: true })
  }
}

/**
 * Chooses the first sandbox that works, and cleans up what killed processes left behind. Throws EnvironmentError that
 * says for each kind of sandbox what is missing and how to get it.
 */
export async function openWorkplace(config: Config, processId: number): Promise<Workplace> {
  const work = join(config.dataDir, 'work')
  const workFolder = join(work, `run-${processId}`)
  await mkdir(join(work, 'sandboxes'), { recursive: true })
  const refusals: string[] = []
  for (const runner of runnersOf(config)) {
    const probe = await runner.probe()
    if (!probe.ok) {
      refusals.push(`${runner.name}: ${probe.detail}${probe.remedy ? ` (${probe.remedy})` : ''}`)
      continue
    }
    // First what is mounted below the folders of dead processes, then the folders.
    await runner.sweep()
    await removeStaleFolders(work)
    await mkdir(workFolder, { recursive: true })
    const toolchains = await findToolchains({ path: config.path, home: config.home })
    return {
      runner,
      probe,
      toolchains,
      workFolder,
      templates: join(work, 'templates'),
      close: () => rm(workFolder, { recursive: true, force: true }),
    }
  }
  throw new EnvironmentError(`no sandbox works here: ${refusals.join(' · ')}`, {
    remedy: 'arena doctor tells more',
  })
}

/** What a language lacks here; empty when its tasks can be played. */
export function missingTools(
  toolchains: Toolchains,
  language: LanguageId,
): readonly { tool: string; debian: string }[] {
  return languages[language].tools.filter(({ tool }) => !(tool in toolchains.tools))
}
