import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type ContextPacks, createContextPacks, type PacksRequest } from '../../src/arena/context-packs.ts'
import type { RerankOutcome } from '../../src/schema/scorer.ts'
import { preparedTask } from '../helpers/prepared-task.ts'
import { temporaryFolder } from '../helpers/repository.ts'

describe('the packs of a season', () => {
  const place = temporaryFolder('arena-context-packs')
  afterAll(() => place[Symbol.dispose]())
  const task = preparedTask(join(place.path, 'task'), {
    workflow: 'on: push\njobs: { test: { runs-on: ubuntu-latest, steps: [{ run: pytest }] } }\n',
    jobs: ['test'],
    files: {
      'pkg/ring.py': 'def rotate(value):\n    return value\n',
      'pkg/other.py': 'def other(value):\n    return value\n',
      'tests/test_ring.py': 'def test_rotate():\n    assert True\n',
    },
  })
  const dataDir = join(place.path, 'data')
  const packs = async (
    retrieval: PacksRequest['season']['retrieval'],
    more: Partial<PacksRequest> = {},
  ): Promise<ContextPacks> => {
    const made = createContextPacks({
      season: { id: 'own', statement: 'original', retrieval },
      dataDir,
      reranker: undefined,
      now: Date.now,
      onEvent: () => undefined,
      ...more,
    })
    await made.prepare([task])
    return made
  }
  const ours = { variant: 'ours', budgetTokens: 500 }

  it('are the same bytes for everybody in a role, and after a restart', async () => {
    const first = await packs(ours)
    const submitter = first.packFor('patch', task)
    expect(submitter.text).toContain('### pkg/ring.py\n')
    expect(submitter.text).not.toContain('test_ring')
    expect(first.packFor('tests', task).text).toContain('### tests/test_ring.py\n')
    expect(submitter.manifest).toMatchObject({
      lane: 'submitter',
      base: { kind: 'commit', id: task.loaded.task.baseCommit },
      packSha256: createHash('sha256').update(submitter.text).digest('hex'),
    })
    expect((await packs(ours)).packFor('patch', task)).toEqual(submitter)
  })
  it('stay as they are when a reranker answers otherwise later', async () => {
    let asked = 0
    const reranker = {
      model: 'moody',
      reranker: {
        rerank: async (_query: string, documents: readonly string[]): Promise<RerankOutcome> => {
          asked++
          return { kind: 'ranked', scores: documents.map((_, place) => (asked > 2 ? place : -place)) }
        },
      },
    }
    const retrieval = { variant: 'chunks+rerank', budgetTokens: 400 }
    const before = (await packs(retrieval, { reranker })).packFor('patch', task)
    expect(before.manifest?.rerank).toMatchObject({ kind: 'done', model: 'moody' })
    const askedBefore = asked
    expect((await packs(retrieval, { reranker })).packFor('patch', task)).toEqual(before)
    expect(asked).toBe(askedBefore)
  })
  it('are made anew where a kept one was spoilt', async () => {
    const before = (await packs(ours)).packFor('patch', task)
    const folder = join(dataDir, 'context', 'packs')
    for (const name of readdirSync(folder)) {
      const kept = readFileSync(join(folder, name), 'utf8')
      writeFileSync(join(folder, name), kept.replaceAll('def rotate', 'def forged'))
    }
    expect((await packs(ours)).packFor('patch', task)).toEqual(before)
  })
  it('are nothing in a season that shows nothing', async () => {
    const pack = (await packs({ variant: 'none', budgetTokens: 500 })).packFor('patch', task)
    expect(pack).toEqual({ text: '', manifest: undefined })
  })
  it('a season that names another variant is refused', async () => {
    await expect(packs({ variant: 'best', budgetTokens: 500 })).rejects.toThrow(
      /own: retrieval\.variant: there is no variant best; use none, whole-files, bm25-files, /,
    )
  })
})
