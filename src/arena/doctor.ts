import { join } from 'node:path'
import { languages } from '../../languages/index.ts'
import { createBubblewrapRunner } from '../ci/runners/bubblewrap.ts'
import { createDockerRunner } from '../ci/runners/docker.ts'
import { findToolchains } from '../ci/toolchains.ts'
import type { Config } from '../config.ts'
import { messageOf } from '../errors.ts'
import { openStore } from '../store/open-store.ts'
import { missingTools } from './workplace.ts'

export interface Finding {
  /** `sandbox: bubblewrap`, `language: Go`, `database`. */
  readonly what: string
  readonly ok: boolean
  readonly detail: string
  readonly remedy: string | null
}

export interface Diagnosis {
  readonly findings: readonly Finding[]
  /** Rounds can be played: a sandbox works, and the tools of one language are there. */
  readonly canPlay: boolean
  /** Memory, processes and disk are limited hard: without them rounds are played unrated. */
  readonly canRate: boolean
}

/** Tries what this machine can do, each part by itself, so that one failure hides no other. */
export async function examineMachine(config: Config): Promise<Diagnosis> {
  const workFolder = join(config.dataDir, 'work', 'sandboxes')
  const runners = [
    createBubblewrapRunner({ workFolder }),
    createDockerRunner({ workFolder, ...(config.dockerHost ? { host: config.dockerHost } : {}) }),
  ]
  const findings: Finding[] = []
  let sandbox = false
  let limited = false
  for (const runner of runners) {
    const probe = await runner.probe()
    sandbox ||= probe.ok
    const enforced = new Set(probe.limits.filter((limit) => limit.by !== 'none').map(({ limit }) => limit))
    limited ||= probe.ok && (['memory', 'pids', 'disk'] as const).every((limit) => enforced.has(limit))
    findings.push({
      what: `sandbox: ${runner.name}`,
      ok: probe.ok,
      detail: probe.detail,
      remedy: probe.remedy,
    })
  }
  const toolchains = await findToolchains({ path: config.path, home: config.home })
  let language = false
  for (const adapter of Object.values(languages)) {
    const missing = missingTools(toolchains, adapter.id)
    language ||= missing.length === 0
    findings.push({
      what: `language: ${adapter.label}`,
      ok: missing.length === 0,
      detail:
        missing.length === 0
          ? adapter.tools.map(({ tool }) => `${tool} ${toolchains.tools[tool]?.version ?? ''}`).join(', ')
          : `${missing.map(({ tool }) => tool).join(', ')} not found`,
      remedy:
        missing.length === 0
          ? null
          : `sudo apt-get install --no-install-recommends ${[...new Set(missing.map(({ debian }) => debian))].join(' ')}`,
    })
  }
  try {
    const store = await openStore({
      dataDir: config.dataDir,
      ...(config.databaseUrl ? { databaseUrl: config.databaseUrl } : {}),
      now: () => new Date(),
      owner: 'arena doctor',
    })
    findings.push({ what: 'database', ok: true, detail: await store.describe(), remedy: null })
    await store.close()
  } catch (error) {
    findings.push({ what: 'database', ok: false, detail: messageOf(error), remedy: null })
  }
  return { findings, canPlay: sandbox && language, canRate: limited }
}
