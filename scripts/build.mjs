// Bundles the command into dist/arena.mjs. Packages stay outside, except GitHub's workflow parser: it imports JSON in a
// way that plain Node refuses.
import { chmod, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const { dependencies } = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
const outside = Object.keys(dependencies).filter(
  (name) => !name.startsWith('@actions/') && name !== 'esbuild',
)

await build({
  absWorkingDir: root,
  entryPoints: { arena: 'src/cli/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  sourcemap: true,
  external: outside.flatMap((name) => [name, `${name}/*`]),
  banner: {
    js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
})
await chmod(`${root}dist/arena.mjs`, 0o755)
