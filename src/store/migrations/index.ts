import type { QueryExecutorProvider } from 'kysely'
import { up as rounds } from './0001-rounds.ts'
import { up as context } from './0002-context.ts'
import { up as snapshots } from './0003-snapshots.ts'
import { up as protocols } from './0004-protocols.ts'

export interface Migration {
  readonly name: string
  up(db: QueryExecutorProvider): Promise<void>
}

/** In the order in which they are applied. Forward only: an applied migration is never changed, a new one is added below. */
export const migrations: readonly Migration[] = [
  { name: '0001-rounds', up: rounds },
  { name: '0002-context', up: context },
  { name: '0003-snapshots', up: snapshots },
  { name: '0004-protocols', up: protocols },
]
