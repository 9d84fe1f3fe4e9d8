import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '../..')

/** Programs of test/store/child, built so that plain Node runs them. */
export interface Children {
  /** The built file, to be run with process.execPath. */
  readonly path: (name: string) => string
  readonly start: (name: string, args: readonly string[]) => Child
  readonly remove: () => void
}

export interface Child {
  readonly pid: number
  /** The next line of its standard output; undefined after the last. */
  readonly line: () => Promise<string | undefined>
  /** Sends the signal, or closes standard input when none is given, and waits until it has ended. */
  readonly end: (signal?: NodeJS.Signals) => Promise<void>
}

export async function buildChildren(names: readonly string[]): Promise<Children> {
  const folder = mkdtempSync(join(tmpdir(), 'arena-children-'))
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await build({
    entryPoints: names.map((name) => join(ROOT, 'test/store/child', `${name}.ts`)),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    outdir: folder,
  })
  const path = (name: string): string => join(folder, `${name}.mjs`)
  return {
    path,
    start: (name, args) =>
      childOf(spawn(process.execPath, [path(name), ...args], { stdio: ['pipe', 'pipe', 'inherit'] })),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function childOf(process: ChildProcessByStdio<Writable, Readable, null>): Child {
  const ended = new Promise<void>((resolve) => process.once('close', () => resolve()))
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]()
  return {
    pid: process.pid ?? 0,
    line: async () => {
      const next = await lines.next()
      return next.done ? undefined : next.value
    },
    end: (signal) => {
      if (signal) process.kill(signal)
      else process.stdin.end()
      return ended
    },
  }
}
