import { describe, expect, it } from 'vitest'
import { estimateCalls } from '../../src/models/estimate-calls.ts'
import { createModel } from '../../src/models/index.ts'
import { createScriptedModel } from '../../src/models/scripted-model.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import { temporaryFolder, writeTree } from '../helpers/repository.ts'

describe('recorded answers', () => {
  const ask = async (files: Record<string, string>, kind: 'patch' | 'tests', attempt = 1) => {
    using folder = temporaryFolder('arena-scripted')
    writeTree(folder.path, files)
    return await createScriptedModel({ folder: folder.path }).ask({
      messages: [],
      attempt,
      taskId: 'task-1',
      kind,
    })
  }
  it('are read by task and role', async () => {
    const files = {
      'task-1/patch.md': 'the patch',
      'task-1/tests.md': 'the tests',
      'task-2/patch.md': 'other',
    }
    expect(await ask(files, 'patch')).toMatchObject({ text: 'the patch', error: null })
    expect(await ask(files, 'tests')).toMatchObject({ text: 'the tests', error: null })
  })
  it('may differ when asked again', async () => {
    const files = { 'task-1/patch.md': 'first', 'task-1/patch.2.md': 'second' }
    expect((await ask(files, 'patch', 2)).text).toBe('second')
    expect((await ask(files, 'patch', 3)).text).toBe('first')
  })
  it('that are missing are empty answers', async () => {
    expect(await ask({ 'task-2/patch.md': 'x' }, 'patch')).toMatchObject({ text: '', raw: null, error: null })
  })
  it('without their folder are wrong input', async () => {
    const model = createScriptedModel({ folder: '/nowhere/answers' })
    await expect(model.ask({ messages: [], attempt: 1, taskId: 't', kind: 'patch' })).rejects.toThrow(
      '/nowhere/answers: there is no folder of recorded answers; correct player.folder',
    )
  })
})

describe('the model behind a competitor', () => {
  const ports = {
    secret: (name: string) => (name === 'SET' ? 'sk-12345' : undefined),
    addresses: { allowLoopback: false, allow: [] },
    now: () => 0,
    random: () => 0,
  }
  const endpoint = (keyEnv?: string) =>
    ({
      kind: 'endpoint',
      endpoint: EndpointSpec.parse({ baseUrl: 'https://models.example.com/v1', model: 'm', keyEnv }),
    }) as const

  it('needs its key set', async () => {
    expect(() => createModel(endpoint('UNSET'), ports)).toThrow('UNSET: the variable with the key is not set')
    await createModel(endpoint('SET'), ports).close()
    await createModel(endpoint(), ports).close()
  })
  it('may not be on this machine unless that is allowed', async () => {
    const local = {
      kind: 'endpoint',
      endpoint: EndpointSpec.parse({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }),
    } as const
    expect(() => createModel(local, ports)).toThrow('not allowed')
    await createModel(local, { ...ports, addresses: { allowLoopback: true, allow: [] } }).close()
  })
})

it('estimates calls and tokens before a battle', () => {
  const one = { competitor: 'a', promptCharacters: 4000, maxOutputTokens: 100 }
  expect(estimateCalls([one, one, { ...one, competitor: 'b' }], 3)).toEqual([
    {
      competitor: 'a',
      leastCalls: 2,
      mostCalls: 6,
      leastPromptTokens: 2000,
      mostPromptTokens: 6600,
      mostOutputTokens: 600,
    },
    {
      competitor: 'b',
      leastCalls: 1,
      mostCalls: 3,
      leastPromptTokens: 1000,
      mostPromptTokens: 3300,
      mostOutputTokens: 300,
    },
  ])
})
