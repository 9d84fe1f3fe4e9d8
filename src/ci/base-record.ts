import type { InfraEvidence } from '../schema/ci-run.ts'
import type { ProcessReport } from '../schema/test-result.ts'
import type { JobEnd } from './job-graph.ts'
import type { PlainEnd } from './leg-ends.ts'

/** What base's test processes reported, by leg: the processes that the armed runs of every tree arm. */
export type BaseRecord = ReadonlyMap<string, LegRecord>

export type LegRecord =
  | { readonly kind: 'reported'; readonly processes: readonly ProcessReport[] }
  | { readonly kind: 'broken'; readonly infra: InfraEvidence }

/** One record a task, from its first run of base, shared by all that wait for it. */
export interface BaseRecords {
  /** Takes a run of base as the task's record, when there is none yet. */
  offer(task: string, run: BaseRun): void
  /** The record of a task; `start` runs base when nobody has, or when whoever did gave up. */
  get(task: string, start: () => BaseRun): Promise<BaseRecord>
}

type BaseRun = Promise<readonly JobEnd<PlainEnd>[]>

/** A record with a broken leg is given to those who wait and then forgotten, as is that of a run that threw. */
export function createBaseRecords(): BaseRecords {
  const records = new Map<string, Promise<BaseRecord>>()
  const keep = (task: string, run: BaseRun): Promise<BaseRecord> => {
    const made = run.then(recordOf)
    records.set(task, made)
    const forget = (): void => {
      if (records.get(task) === made) records.delete(task)
    }
    made.then((record) => {
      if ([...record.values()].some((leg) => leg.kind === 'broken')) forget()
    }, forget)
    return made
  }
  return {
    offer(task, run) {
      if (!records.has(task)) keep(task, run)
    },
    async get(task, start) {
      const known = records.get(task)
      if (!known) return keep(task, start())
      // Another's run may end because it was aborted: that is no reason of ours.
      return known.catch(() => keep(task, start()))
    },
  }
}

export function recordOf(ends: readonly JobEnd<PlainEnd>[]): BaseRecord {
  const legs = ends.flatMap((job) => job.legs)
  return new Map(
    legs.flatMap(({ leg, end }): [string, LegRecord][] => {
      if (end.infra) return [[leg.leg, { kind: 'broken', infra: end.infra }]]
      return end.run ? [[leg.leg, { kind: 'reported', processes: end.run.processes }]] : []
    }),
  )
}
