// Plays a blind season over HTTP against an endpoint that takes a fixed time for each answer, and says how busy it was kept,
// how many answers were asked for, and how much memory the process took. CI is a stand-in of a fixed time, bounded by a number
// of cores; everything else is real: prompts, HTTP, reading, git, the embedded database.
//
//   node bench/players.mjs [--latency MS] [--at-once N] [--competitors K] [--tasks N] [--cores N] [--cell MS] [--json]
//   node bench/players.mjs --flood    32 endpoints at once that each send a hundred megabytes
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
// Below node_modules, so that packages are found.
const folder = mkdtempSync(join(root, 'node_modules', '.arena-bench-'))
try {
  const outfile = join(folder, 'players.mjs')
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/players/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  const { main } = await import(pathToFileURL(outfile).href)
  await main(process.argv.slice(2), { root, scratch: mkdtempSync(join(tmpdir(), 'arena-bench-players-')) })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
