import { defineConfig } from 'vitest/config'

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // The packages import JSON without an import attribute, which plain Node refuses: let vite transform them.
    server: { deps: { inline: [/@actions\/(workflow-parser|expressions|languageserver)/] } },
  },
})
