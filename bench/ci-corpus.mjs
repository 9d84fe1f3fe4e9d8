// What the planner makes of the workflows of checked-out repositories, and where act and actionlint see it otherwise.
//
//   node bench/ci-corpus.mjs [--act PATH] [--actionlint PATH] [--json] DIR…
//
// Each workflow is planned on an event that starts it, on HEAD, with the tools of this machine, once as they are and once
// with substitution. Nothing is run and nothing is written in the repositories. `go install
// github.com/nektos/act@v0.2.89` and `go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12` make the two tools.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
// Beside node_modules, where the bundle finds its packages.
const folder = mkdtempSync(join(root, 'node_modules', '.ci-corpus-'))
try {
  const bundle = join(folder, 'corpus.mjs')
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['bench/ci-corpus/corpus.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'bundle',
    external: ['dockerode', 'web-tree-sitter', '@vscode/tree-sitter-wasm'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
  writeFileSync(bundle, outputFiles[0].contents)
  const { main } = await import(pathToFileURL(bundle).href)
  process.exitCode = await main(process.argv.slice(2))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
