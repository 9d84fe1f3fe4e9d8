// Measures three served models, a chat model, a reranker and an embedder, with the arena's own clients, in five minutes at most:
// compose.gpu.yaml serves them on one GPU, but any three addresses will do.
//
//   node bench/gpu.mjs --chat URL#MODEL --rerank URL#MODEL --embed URL#MODEL [--seconds 300] [--json]
//   node bench/gpu.mjs --scripted    against servers of its own that answer by rote: shows that this script works, and no more
//
// URL: up to and including /v1. A part that is not given is not measured. Exit code 1: a part failed.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
// Below node_modules, so that packages are found.
const folder = mkdtempSync(join(root, 'node_modules', '.arena-bench-'))
try {
  const outfile = join(folder, 'gpu.mjs')
  await build({
    absWorkingDir: root,
    entryPoints: ['bench/gpu/main.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  const { main } = await import(pathToFileURL(outfile).href)
  process.exitCode = await main(process.argv.slice(2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
// What is still asked after its time is left.
process.exit()
