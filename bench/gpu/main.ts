import { parseArgs } from 'node:util'
import { measureChat } from './chat.ts'
import { type Address, type Part, readAddress, until } from './part.ts'
import { measureEmbedder, measureReranker } from './scorers.ts'
import { startScripted } from './scripted.ts'

const SHARES = { chat: 0.6, rerank: 0.2, embed: 0.2 } as const

type Name = keyof typeof SHARES

const MEASURES: { readonly [N in Name]: (address: Address, deadline: number) => Promise<Part> } = {
  chat: measureChat,
  rerank: measureReranker,
  embed: measureEmbedder,
}

/** Measures what the arguments name and prints it. Answers the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      chat: { type: 'string' },
      rerank: { type: 'string' },
      embed: { type: 'string' },
      seconds: { type: 'string', default: '300' },
      scripted: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const seconds = Number(values.seconds)
  if (!(seconds > 0 && seconds <= 300)) throw new Error('--seconds: more than 0, 300 at most')
  const scripted = values.scripted ? await startScripted() : undefined
  try {
    const report: Partial<Record<Name, Part>> = {}
    for (const name of ['chat', 'rerank', 'embed'] as const) {
      const given = scripted?.addresses[name] ?? values[name]
      if (given === undefined) continue
      const address = readAddress(given)
      const deadline = performance.now() + SHARES[name] * seconds * 1000
      report[name] = await until(deadline, () => MEASURES[name](address, deadline))
    }
    const parts = Object.entries(report)
    if (parts.length === 0) throw new Error('nothing to measure: --chat, --rerank, --embed or --scripted')
    if (values.json) console.log(JSON.stringify({ scripted: values.scripted, ...report }, null, 2))
    else {
      if (values.scripted) console.log('against scripted servers: these numbers say nothing of any model')
      for (const [name, part] of parts) {
        console.log(name)
        for (const [what, value] of Object.entries(part)) console.log(`  ${what.padEnd(32)} ${value}`)
      }
    }
    return parts.every(([, part]) => part.failed === undefined) ? 0 : 1
  } finally {
    await scripted?.close()
  }
}
