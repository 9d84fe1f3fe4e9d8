import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

export interface Bundle {
  readonly file: string
  [Symbol.dispose](): void
}

/** A test's TypeScript program as one file that plain Node runs; packages are found where this project has them. */
export async function bundle(entry: URL): Promise<Bundle> {
  const folder = mkdtempSync(join(modules, '.test-'))
  const file = join(folder, 'child.mjs')
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return { file, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

export interface Child {
  readonly process: ChildProcess
  /** Its first line of output. Throws with its errors when it ends without one. */
  readonly firstLine: Promise<string>
  readonly ended: Promise<unknown>
}

/** Starts a program; its errors are part of what `firstLine` throws. */
export function startChild(command: readonly string[]): Child {
  const [file = '', ...args] = command
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: '/nonexistent' },
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  const ended = once(child, 'exit')
  const firstLine = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    child.once('close', () => reject(new Error(`the child ended: ${errors}`)))
    child.once('error', reject)
  })
  firstLine.catch(() => undefined)
  return { process: child, firstLine, ended }
}
