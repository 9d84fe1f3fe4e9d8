import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createBlobCache } from '../../src/context/blob-cache.ts'
import { loadTokenizer } from '../../src/context/count-tokens.ts'
import { openGitCorpus } from '../../src/context/git-corpus.ts'
import { parseQuery } from '../../src/context/query.ts'
import { bestFiles, scoreFiles } from '../../src/context/rank-files.ts'
import { retrieve } from '../../src/context/retrieve.ts'
import { countHere, openTreeIndex, type TreeIndex } from '../../src/context/tree-index.ts'
import { OURS } from '../../src/context/weights.ts'
import { findFixes, gitText } from './fixes.ts'
import { cachedCut, checkClones, laneOf, percentile } from './open-clone.ts'

const { values: flags, positionals: clones } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: 'string' },
    queries: { type: 'string', default: '40' },
    commits: { type: 'string', default: '40' },
    json: { type: 'string' },
  },
})
checkClones(clones)
const clone = clones[0] as string
const folder = mkdtempSync(join(tmpdir(), 'retrieval-speed-'))
const file = join(folder, 'index.idx')

/** Milliseconds of this process' own CPU; wall beside it says how busy the machine was. */
async function timed<T>(work: () => Promise<T> | T): Promise<{ value: T; cpuMs: number; wallMs: number }> {
  const cpu = process.cpuUsage()
  const wall = performance.now()
  const value = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { value, cpuMs: (user + system) / 1000, wallMs: performance.now() - wall }
}

async function openAt(commit: string): Promise<TreeIndex> {
  const corpus = await openGitCorpus(clone, commit)
  return openTreeIndex({ corpus, laneOf, file, countBlobs: countHere, now: Date.now })
}

const head = gitText(clone, 'rev-parse', 'HEAD').trim()
const results: Record<string, number> = {}
try {
  const cold = await timed(() => openAt(head))
  const index = cold.value
  const indexed = index.files.filter(({ place }) => !place.skipped)
  const sizes = gitText(clone, 'ls-tree', '-r', '-l', head)
    .split('\n')
    .map((line) => /^\d+ blob [0-9a-f]+ +(\d+)\t(.*)$/.exec(line))
  const bytesOf = new Map(sizes.map((match) => [match?.[2] ?? '', Number(match?.[1] ?? 0)]))
  const megabytes = indexed.reduce((sum, { path }) => sum + (bytesOf.get(path) ?? 0), 0) / 1e6
  results.files = indexed.length
  results.megabytes = megabytes
  results.coldCpuMs = cold.cpuMs
  results.coldWallMs = cold.wallMs
  results.coldMegabytesPerCpuSecond = megabytes / (cold.cpuMs / 1000)
  results.rssMegabytes = process.memoryUsage.rss() / 1e6
  results.diskShare = statSync(file).size / 1e6 / megabytes
  await index.corpus.close()

  const reopened: number[] = []
  const reopenedWall: number[] = []
  for (let at = 0; at < 5; at++) {
    const { value, cpuMs, wallMs } = await timed(() => openAt(head))
    if (value.work.counted > 0) throw new Error('a stored index was counted again')
    await value.corpus.close()
    reopened.push(cpuMs)
    reopenedWall.push(wallMs)
  }
  results.reopenCpuMs = percentile(reopened, 0.5)
  results.reopenWallMs = percentile(reopenedWall, 0.5)

  const fixes = findFixes(clone, Number(flags.queries), (path) => laneOf(path) === 'source')
  // A clone without a history has no fixes: sentences of its own sources serve.
  const issues =
    fixes.length > 0
      ? fixes.map(({ query }) => query)
      : indexed
          .filter((_, at) => at % Math.ceil(indexed.length / Number(flags.queries)) === 0)
          .map(
            ({ path }) => `The result is wrong in ${path.replaceAll(/[/._]/g, ' ')} when it is called twice`,
          )
  const queryMs: number[] = []
  for (let round = 0; round < 3; round++)
    for (const issue of issues) {
      const { cpuMs } = await timed(() => {
        const query = parseQuery(issue, index.vectors.terms, OURS.query)
        bestFiles(index.files, scoreFiles(index, query, OURS).total, 'source', 100)
      })
      if (round > 0) queryMs.push(cpuMs)
    }
  results.queryP50Ms = percentile(queryMs, 0.5)
  results.queryP95Ms = percentile(queryMs, 0.95)

  const again = await openGitCorpus(clone, head)
  const open = { ...index, corpus: again }
  const blobs = createBlobCache(again)
  const countTokens = await loadTokenizer('bytes')
  const cut = await cachedCut()
  for (const name of ['first', 'again'] as const) {
    const packMs: number[] = []
    for (const issue of issues) {
      const { cpuMs } = await timed(() =>
        retrieve({
          ...{ index: open, blobs, issue, lane: 'submitter', variant: 'ours', budgetTokens: 16_000 },
          ...{ tokenizer: 'bytes', countTokens, cut },
        }),
      )
      packMs.push(cpuMs)
    }
    results[`pack16k${name === 'first' ? 'First' : 'Again'}P50Ms`] = percentile(packMs, 0.5)
    results[`pack16k${name === 'first' ? 'First' : 'Again'}P95Ms`] = percentile(packMs, 0.95)
  }
  await again.close()

  const commits = gitText(clone, 'rev-list', '--first-parent', '-n', String(Number(flags.commits) + 1), head)
    .trim()
    .split('\n')
    .reverse()
  if (commits.length > 1) {
    rmSync(file)
    const first = await openAt(commits[0] as string)
    await first.corpus.close()
    const added: number[] = []
    const addedWall: number[] = []
    // As a process that stays: what is loaded is kept, only new blobs are counted.
    const { indexer } = await import('./open-clone.ts')
    const indexes = await indexer(clone)
    await indexes.at(commits[0] as string, async () => undefined)
    for (const commit of commits.slice(1)) {
      const { cpuMs, wallMs } = await timed(() => indexes.at(commit, async () => undefined))
      added.push(cpuMs)
      addedWall.push(wallMs)
    }
    results.commitP50CpuMs = percentile(added, 0.5)
    results.commitP95CpuMs = percentile(added, 0.95)
    results.commitP95WallMs = percentile(addedWall, 0.95)
  }

  if (flags.python) {
    const request = join(folder, 'request.json')
    writeFileSync(request, JSON.stringify({ clone, blobs: indexed.map(({ blob }) => blob), queries: issues }))
    const script = fileURLToPath(new URL('../../bench/retrieval/others.py', import.meta.url))
    const { stdout, status } = spawnSync(flags.python, [script, request], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error('the others could not be measured')
    Object.assign(results, JSON.parse(stdout))
    results.queryTimesFasterThanFts5 = (results.fts5QueryP95Ms ?? 0) / results.queryP95Ms
    results.buildTimesFasterThanBm25s = (results.bm25sBuildCpuMs ?? 0) / results.coldCpuMs
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const [name, value] of Object.entries(results))
  console.log(`${name.padEnd(30)} ${Number.isInteger(value) ? value : value.toPrecision(4)}`)
if (flags.json) writeFileSync(flags.json, `${JSON.stringify(results)}\n`)
