// Measures retrieval on local clones of real repositories. Bare clones do; nothing is written to them.
//
//   node bench/retrieval/run.mjs localise CLONE… [--count 60] [--seed 7] [--half report|tune] [--json FILE]
//       The newest fixes of each clone: the message is the query, the changed sources are the answer, the index stands at the
//       parent commit. Recall of files, coverage of changed hunks, and the paired difference to the original's ranking.
//       One half of the fixes, drawn by the seed, is for tuning; the other is what is reported.
//   node bench/retrieval/run.mjs speed CLONE [--python VENV/bin/python] [--queries 40] [--commits 40]
//       Building, reopening, adding a commit, queries and whole packs; with a Python that has bm25s, the same files and queries
//       through it and through SQLite's FTS5, in the same run.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [what, ...args] = process.argv.slice(2)
if (!['localise', 'speed'].includes(what)) {
  console.error('usage: node bench/retrieval/run.mjs localise|speed CLONE…')
  process.exit(2)
}
// Below node_modules, so that packages are found from there.
const outfile = `${root}node_modules/.bench/retrieval-${what}.mjs`
mkdirSync(`${root}node_modules/.bench`, { recursive: true })
await build({
  absWorkingDir: root,
  entryPoints: [`bench/retrieval/${what}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['web-tree-sitter', 'gpt-tokenizer', 'undici', 'ipaddr.js', 'zod'],
  logLevel: 'warning',
})
const node = process.env.BENCH_NODE ?? process.execPath
process.exitCode = spawnSync(node, ['--expose-gc', outfile, ...args], { stdio: 'inherit' }).status ?? 1
