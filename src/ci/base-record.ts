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
  /** The record of a task; `start` runs base when nobody has. */
  get(task: string, start: () => Promise<readonly JobEnd<PlainEnd>[]>): Promise<BaseRecord>
}

/** A record with a broken leg, or of a run that threw, is given to those who wait and then forgotten. */
export function createBaseRecords(): BaseRecords {
  const records = new Map<string, Promise<BaseRecord>>()
  return {
    get(task, start) {
      const known = records.get(task)
      if (known) return known
      const made = start().then(recordOf)
      records.set(task, made)
      const forget = (): void => {
        if (records.get(task) === made) records.delete(task)
      }
      made.then((record) => {
        if ([...record.values()].some((leg) => leg.kind === 'broken')) forget()
      }, forget)
      return made
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
