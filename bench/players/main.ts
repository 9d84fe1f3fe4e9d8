import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { flood } from './flood.ts'
import { season } from './season.ts'

export interface Places {
  /** The arena's own folder. */
  readonly root: string
  /** A folder for this run alone. */
  readonly scratch: string
}

/** Runs what the arguments ask for and prints it. */
export async function main(args: string[], places: Places): Promise<void> {
  const number = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: {
      latency: { ...number, default: '10000' },
      'at-once': { ...number, default: '32' },
      competitors: { ...number, default: '8' },
      tasks: { ...number, default: '8' },
      cores: { ...number, default: '2' },
      cell: { ...number, default: '1000' },
      flood: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  try {
    const result = values.flood
      ? await flood(32, 100 * 2 ** 20)
      : await season(places, {
          latencyMs: Number(values.latency),
          atOnce: Number(values['at-once']),
          competitors: Number(values.competitors),
          tasks: Number(values.tasks),
          cores: Number(values.cores),
          cellMs: Number(values.cell),
        })
    if (values.json) console.log(JSON.stringify(result, null, 2))
    else for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(28)} ${value}`)
  } finally {
    rmSync(places.scratch, { recursive: true, force: true })
  }
}
