import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Part → parts it may import. Everything may import schema and errors; a part may import itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  schema: [],
  errors: [],
  config: [],
  verdict: [],
  ratings: [],
  workflows: [],
  languages: [],
  task: ['languages'],
  context: ['languages'],
  patch: ['languages'],
  players: ['languages'],
  models: [],
  mutants: ['languages', 'patch'],
  ci: ['workflows', 'languages'],
  store: [],
  standings: ['ratings', 'verdict'],
  site: [],
  match: ['ci', 'languages', 'verdict'],
  api: ['site'],
  arena: [
    'config',
    'languages',
    'task',
    'context',
    'patch',
    'players',
    'models',
    'mutants',
    'ci',
    'workflows',
    'store',
    'match',
    'verdict',
    'ratings',
    'standings',
    'api',
  ],
  cli: ['arena', 'config', 'api'],
}

/** Packages that only these files may name. */
const ONLY: readonly (readonly [string, RegExp])[] = [
  ['kysely', /^src\/store\//],
  ['pg', /^src\/store\//],
  ['@electric-sql/pglite', /^src\/store\//],
  ['pg-boss', /^src\/store\//],
  ['dockerode', /^src\/ci\/runners\/docker/],
  ['fastify', /^src\/api\//],
  ['undici', /^src\/models\//],
  ['web-tree-sitter', /^languages\/shared\/syntax/],
  ['probot', /^github-app\//],
  ['preact', /^leaderboard\/site\//],
]

/** No file system, network, processes, clock or randomness. */
const PURE = /^(src\/verdict|src\/ratings|workflows|languages|leaderboard)\//

function partOf(path: string): string {
  const [top, second] = path.split('/')
  if (top === 'leaderboard') return second === 'site' ? 'site' : 'standings'
  if (top !== 'src') return top ?? ''
  return (second ?? '').replace(/\.ts$/, '')
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return filesBelow(path)
    return /\.tsx?$/.test(name) ? [path] : []
  })
}

const sources = ['src', 'workflows', 'languages', 'leaderboard', 'github-app']
  .map((folder) => join(root, folder))
  .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
  .flatMap(filesBelow)
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    const imports = [...text.matchAll(/^(?:import|export)\s+(?:[^'"]*?from\s+)?['"]([^'"]+)['"]/gm)].map(
      (match) => match[1] ?? '',
    )
    return { path: relative(root, path), text, imports }
  })

describe('the architecture', () => {
  it('has files to look at', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  it('data goes down once: a part imports only what ARCHITECTURE.md allows it', () => {
    const wrong = sources.flatMap(({ path, imports }) => {
      const part = partOf(path)
      const allowed = new Set([...(MAY_IMPORT[part] ?? []), part, 'schema', 'errors'])
      return imports
        .filter((name) => name.startsWith('.'))
        .map((name) => partOf(relative(root, resolve(root, dirname(path), name))))
        .filter((target) => !allowed.has(target))
        .map((target) => `${path} imports ${target}`)
    })
    expect(wrong).toEqual([])
  })

  it('every part is named in the table', () => {
    const parts = [...new Set(sources.map(({ path }) => partOf(path)))]
    expect(parts.filter((part) => !(part in MAY_IMPORT))).toEqual([])
  })

  it('a package that touches the outside is named in one place', () => {
    const wrong = sources.flatMap(({ path, imports }) =>
      ONLY.filter(
        ([name, where]) =>
          imports.some((used) => used === name || used.startsWith(`${name}/`)) && !where.test(path),
      ).map(([name]) => `${path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('judge, ratings, planner, adapters and standings are pure', () => {
    const wrong = sources
      .filter(({ path }) => PURE.test(path))
      .flatMap(({ path, text, imports }) => [
        ...imports
          .filter((name) => /^node:(?!crypto$|path$|path\/posix$|buffer$)/.test(name))
          .map((name) => `${path} imports ${name}`),
        ...(/\b(Date\.now|new Date\(\)|Math\.random|performance\.now|process\.(env|pid|cwd|exit|argv|hrtime|stdout|stderr|uptime|getuid)\b)/.test(
          text,
        )
          ? [`${path} is not pure`]
          : []),
      ])
    expect(wrong).toEqual([])
  })

  it('only the configuration and the command line read the environment', () => {
    const wrong = sources
      .filter(
        ({ path, text }) =>
          /\bprocess\.env\b/.test(text) && !['src/config.ts', 'src/cli/main.ts'].includes(path),
      )
      .map(({ path }) => path)
    expect(wrong).toEqual([])
  })

  it('ARCHITECTURE.md shows the same table', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    for (const [part, allowed] of Object.entries(MAY_IMPORT))
      if (allowed.length > 0) expect(text).toContain(`${part} → ${allowed.join(', ')}`)
  })
})
