import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/api/app.ts'
import type { ArenaQueries } from '../../src/api/queries.ts'
import { EnvironmentError } from '../../src/errors.ts'
import { digestOf } from '../../src/schema/canonical.ts'
import { Standings } from '../../src/schema/rating.ts'
import { VerdictKind } from '../../src/schema/verdict.ts'
import { emptyArena, fakeArena, LOG } from '../helpers/views.ts'

const arena = fakeArena()
const get = (url: string, queries: ArenaQueries = arena.queries, headers = {}) =>
  buildApp({ queries }).inject({ url, headers })

describe('pages', () => {
  it('shows the newest season with every competitor, control and remark', async () => {
    const { statusCode, headers, body } = await get('/')
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    for (const { label, state } of arena.standings.rows) {
      expect(body).toContain(label)
      expect(body).toContain(state === 'provisional' ? 'provisional' : 'record only')
    }
    for (const remark of arena.standings.remarks) expect(body).toContain(remark)
    expect(body.match(/✓<\/span> holds/g)).toHaveLength(arena.standings.controls.length)
  })

  it('links every rated round of the season from its cross table', async () => {
    const { body } = await get('/seasons/spring')
    for (const round of arena.rounds.filter(({ control }) => !control))
      expect(body).toContain(`/rounds/${round.id}`)
  })

  it('keeps the demo’s standings small', async () => {
    const app = buildApp({ queries: arena.queries })
    const page = await app.inject('/')
    const stylesheet = /href="(\/assets\/arena-[^"]+)"/.exec(page.body)?.[1] ?? ''
    const style = await app.inject(stylesheet)
    expect(style.statusCode).toBe(200)
    expect(page.body.length + style.body.length).toBeLessThan(60 * 1024)
  })

  it('says which command plays a season where there is none', async () => {
    const { statusCode, body } = await get('/', emptyArena)
    expect(statusCode).toBe(200)
    expect(body).toContain('No season yet')
    expect(body).toContain('arena demo')
  })

  it('says how a season goes on that has no rounds', async () => {
    const standings = { ...arena.standings, rows: [], controls: [], rounds: 0, battles: 0 }
    const { body } = await get('/', {
      ...arena.queries,
      standings: async () => standings,
      rounds: async () => [],
    })
    expect(body).toContain('Nothing settled yet')
    expect(body).toContain('arena season FILE')
  })

  it('ranks only the rated', async () => {
    const [first, second, ...others] = arena.standings.rows
    if (!first || !second) throw new Error('the season has competitors')
    const rows = [
      { ...first, state: 'provisional' as const },
      { ...second, state: 'rated' as const },
      ...others,
    ]
    const { body } = await get('/', {
      ...arena.queries,
      standings: async () => ({ ...arena.standings, rows }),
    })
    expect(body).toMatch(new RegExp(`<td class="rank">–</td><th scope="row">[^]*?${first.label}`))
    expect(body).toMatch(new RegExp(`<td class="rank">1</td><th scope="row">[^]*?${second.label}`))
  })

  it('counts instead of marking where a season has many tasks', async () => {
    const tasks = Array.from({ length: 40 }, (_, index) => ({ id: `task-${index}`, language: 'go' }))
    const { body } = await get('/', {
      ...arena.queries,
      standings: async () => ({ ...arena.standings, tasks }),
    })
    expect(body).toContain('of 4 patches survived')
    expect(body).not.toContain('href="/rounds/')
  })

  it.each(VerdictKind.options)('explains a round that ended as %s', async (kind) => {
    const { statusCode, body } = await get(`/rounds/${arena.idOf(kind)}`)
    expect(statusCode).toBe(200)
    const sentence = {
      'submitter-win': 'survived 2 admitted tests of',
      'reviewer-win': 'with 1 of 2 admitted tests.',
      'submitter-forfeit': 'forfeits: the patch',
      'reviewer-forfeit': 'forfeits: the tests',
      'no-contest': 'No contest: the patch of',
      void: 'Void: the environment broke',
    }[kind]
    expect(body.replace(/<[^>]*>/g, '')).toContain(sentence)
  })

  it('shows which test killed the patch, in the list and in the diff', async () => {
    const { body } = await get(`/rounds/${arena.idOf('reviewer-win')}`)
    expect(body).toMatch(/<tr class="killed">.*?test_hours_are_split_off/)
    expect(body).toMatch(/def test_hours_are_split_off\(\):<span class="flag">✕ killed the patch/)
    expect(body.match(/class="flag"/g)).toHaveLength(1)
  })

  it('shows what each cell did: steps, exit codes, logs, limits and what enforced them', async () => {
    const { body } = await get(`/rounds/${arena.idOf('reviewer-win')}`)
    expect(body).toMatch(/What was shown of the repository: 1 run of lines, 1\s200 of 8\s000 tokens/)
    expect(body).toContain('the reranker gave nothing, so the lexical order stands: time-out: 30 s')
    expect(body).toContain('actions/checkout@v4')
    expect(body).toContain(`href="/logs/${LOG}"`)
    expect(body).toContain('18 passed')
    expect(body).toMatch(/<b>memory<\/b> 2048 MiB <small>by cgroup-v2/)
    expect(body).toMatch(/<b>cpus<\/b> 2 <small>not enforced/)
    expect(body).toContain('This run was cleaned up')
  })

  it('lists the rounds that a filter asks for', async () => {
    const { body } = await get('/seasons/spring/rounds?verdict=void&task=')
    expect(body).toContain('>1 round<')
    expect(body).toContain(arena.idOf('void'))
    expect(body).not.toContain(arena.idOf('reviewer-win'))
    const none = await get('/seasons/spring/rounds?submitter=nobody')
    expect(none.body).toContain('No round is like this')
  })

  it('turns the pages of a long list without losing the filter', async () => {
    const { body } = await get('/seasons/spring/rounds?page=2')
    expect(body).toContain('page 2 of 3')
    const filtered = await get('/seasons/spring/rounds?submitter=golden&page=99')
    expect(filtered.body).not.toContain('Pages of rounds')
  })

  it('explains the method', async () => {
    const { body } = await get('/method')
    expect(body).toContain('Which tests count')
  })
})

describe('rounds by a part of their id', () => {
  it('leads from twelve digits to the round', async () => {
    const id = arena.idOf('submitter-win')
    const { statusCode, headers } = await get(`/rounds/${id.slice(0, 12)}`)
    expect([statusCode, headers.location]).toEqual([302, `/rounds/${id}`])
    const api = await get(`/api/v1/rounds/${id.slice(0, 20)}`)
    expect(api.headers.location).toBe(`/api/v1/rounds/${id}`)
  })

  it('asks for more digits where two rounds begin alike', async () => {
    const [first] = arena.rounds
    if (!first) throw new Error('the season has rounds')
    const twin = { ...first, id: `${first.id.slice(0, 20)}${'0'.repeat(44)}` }
    const { statusCode, body } = await get(`/rounds/${first.id.slice(0, 12)}`, {
      ...arena.queries,
      rounds: async () => [first, twin],
    })
    expect(statusCode).toBe(404)
    expect(body).toContain('give more digits')
  })

  it.each(['abcdefabcde', 'ABCDEFABCDEF', 'xyzxyzxyzxyz', `${'a'.repeat(65)}`])('refuses %s', async (id) => {
    const { statusCode, body } = await get(`/rounds/${id}`)
    expect(statusCode).toBe(400)
    expect(body).toContain('expected the first 12 to 64 digits')
  })
})

describe('logs', () => {
  it('are plain text to every browser', async () => {
    const { statusCode, headers, body } = await get(`/logs/${LOG}`)
    expect(statusCode).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="log-${LOG.slice(0, 12)}.txt"`,
    })
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(body).toContain('<b>bold</b>')
  })

  it('replaces what is no UTF-8', async () => {
    const { rawPayload } = await get(`/logs/${LOG}`, {
      ...arena.queries,
      log: async () => Buffer.from([0x61, 0xff, 0xfe, 0x62]),
    })
    expect(rawPayload.toString('utf8')).toBe('a\ufffd\ufffdb')
  })

  it('answers 404 for one that is not kept and 400 for what is no digest', async () => {
    expect((await get(`/logs/${digestOf('nothing')}`)).statusCode).toBe(404)
    expect((await get('/logs/..%2f..%2fetc%2fpasswd')).statusCode).toBe(400)
  })
})

describe('the API', () => {
  it('gives the standings, the rounds and a round', async () => {
    const standings = await get('/api/v1/standings?season=spring')
    expect(Standings.parse(standings.json())).toEqual(arena.standings)
    expect((await get('/api/v1/standings')).json()).toEqual(standings.json())
    expect((await get('/api/v1/seasons/spring/rounds')).json()).toEqual({
      season: 'spring',
      rounds: arena.rounds,
    })
    const id = arena.idOf('void')
    expect((await get(`/api/v1/rounds/${id}`)).json()).toMatchObject({
      round: { id },
      task: { language: 'go' },
    })
  })

  it.each([
    ['/api/v1/standings?season=nobody', 404],
    ['/api/v1/standings?season=No%20Slug', 400],
    ['/api/v1/seasons/nobody/rounds', 404],
    [`/api/v1/rounds/${digestOf('nothing')}`, 404],
    ['/api/v1/rounds/1', 400],
    ['/api/v1/nothing', 404],
  ])('answers %s with a problem', async (url, status) => {
    const { statusCode, headers, body } = await get(url)
    expect(statusCode).toBe(status)
    expect(headers['content-type']).toContain('application/problem+json')
    expect(JSON.parse(body)).toMatchObject({ type: 'about:blank', status, title: expect.any(String) })
  })

  it('says that it lives', async () => {
    const { statusCode, body } = await get('/healthz')
    expect([statusCode, JSON.parse(body)]).toEqual([200, { status: 'ok' }])
  })
})

describe('every answer', () => {
  const everything = [
    '/',
    '/method',
    '/seasons/spring/rounds',
    '/nothing',
    '/api/v1/standings',
    '/healthz',
    `/logs/${LOG}`,
  ]

  it.each(everything)('%s can load and be nothing but our own', async (url) => {
    const { headers } = await get(url)
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).not.toContain('script-src')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    })
  })

  it('is named by its content, and not sent twice', async () => {
    const first = await get('/')
    const etag = String(first.headers.etag)
    const again = await get('/', arena.queries, { 'if-none-match': `"other", W/${etag}` })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(again.headers.etag).toBe(etag)
    const other = await get('/', arena.queries, { 'if-none-match': '"other"' })
    expect(other.statusCode).toBe(200)
  })

  it('has the same headers without its body for HEAD', async () => {
    const app = buildApp({ queries: arena.queries })
    const whole = await app.inject('/')
    const head = await app.inject({ method: 'HEAD', url: '/' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['etag', 'content-type', 'content-length'])
      expect(head.headers[name]).toBe(whole.headers[name])
  })

  it('refuses to write', async () => {
    const { statusCode } = await buildApp({ queries: arena.queries }).inject({
      method: 'POST',
      url: '/',
      body: 'x',
    })
    expect(statusCode).toBe(404)
  })
})

describe('when the arena is broken', () => {
  const broken = (error: Error): ArenaQueries => ({
    ...arena.queries,
    standings: () => Promise.reject(error),
  })

  it('tells visitors nothing of where, and the operator all of it', async () => {
    const error = new EnvironmentError('the disk is full', { place: '/srv/secret/arena' })
    const lines: unknown[] = []
    const app = buildApp({ queries: broken(error), log: (line) => lines.push(line) })
    const page = await app.inject('/')
    expect(page.statusCode).toBe(503)
    expect(page.body).not.toContain('secret')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(lines).toEqual([expect.objectContaining({ level: 'error', url: '/', error })])
    const api = await app.inject('/api/v1/standings')
    expect(api.json()).toMatchObject({ status: 503, title: 'Service Unavailable' })
    expect(api.body).not.toContain('secret')
  })

  it('owns up to a fault of its own, with a number to tell', async () => {
    const { statusCode, body } = await get('/', broken(new TypeError('x of undefined')))
    expect(statusCode).toBe(500)
    expect(body).not.toContain('undefined')
    expect(body).toMatch(/Its number is <code>req-/)
  })
})
