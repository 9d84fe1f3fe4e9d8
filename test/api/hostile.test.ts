import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/api/app.ts'
import { VerdictKind } from '../../src/schema/verdict.ts'
import { spoil } from '../helpers/view-spoil.ts'
import { HOSTILE } from '../helpers/view-texts.ts'
import { fakeArena } from '../helpers/views.ts'

const arena = fakeArena(spoil)
const app = buildApp({ queries: arena.queries })

/** Controls, directions, zero widths and tags: what a page must not hold as it is. */
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}]/u

/** The tags of a page with their attributes; text that only looks like a tag is escaped and not among them. */
const tagsOf = (page: string): readonly string[] =>
  [...page.matchAll(/<[a-z](?:"[^"]*"|[^">])*>/g)].map(([tag]) => tag)

describe('text of models and repositories', () => {
  it.each(VerdictKind.options)('stays text on the page of a %s', async (kind) => {
    const { statusCode, body } = await app.inject(`/rounds/${arena.idOf(kind)}`)
    expect(statusCode).toBe(200)
    const tags = tagsOf(body)
    expect(tags.filter((tag) => /^<(script|img|iframe|object|embed|style|form)\b/.test(tag))).toEqual([])
    expect(tags.filter((tag) => /\son\w+=|javascript:|srcdoc=/.test(tag.replace(/"[^"]*"/g, '""')))).toEqual(
      [],
    )
    expect(body).toContain('&lt;script>document.title')
  })

  it('never becomes a link, and links never leave the arena', async () => {
    const { body } = await app.inject(`/rounds/${arena.idOf('reviewer-win')}`)
    const targets = tagsOf(body).flatMap((tag) =>
      [...tag.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, to]) => to),
    )
    expect(targets.length).toBeGreaterThan(20)
    expect(targets.filter((to) => !/^[/#](?!\/)/.test(to ?? ''))).toEqual([])
  })

  it('shows what would reorder or hide it', async () => {
    const { body } = await app.inject(`/rounds/${arena.idOf('reviewer-win')}`)
    expect(body.match(HIDDEN)).toBeNull()
    for (const shown of ['␛[31mred', '␀', '⟨U+202E⟩gnp.exe', '⟨U+2066⟩', 'zero⟨U+200B⟩width', '⟨U+E0041⟩tag'])
      expect(body).toContain(shown)
  })

  it('is cut where it is long, with a word about the rest', async () => {
    const { body } = await app.inject(`/rounds/${arena.idOf('reviewer-win')}`)
    expect(body).toContain('… 19600 more characters')
    const long = fakeArena((view) => ({ ...view, task: { ...view.task, issue: 'word '.repeat(100_000) } }))
    const page = await buildApp({ queries: long.queries }).inject(`/rounds/${long.idOf('void')}`)
    expect(page.body).toContain('more characters are')
    expect(page.body.length).toBeLessThan(120_000)
  })

  it('cuts a diff of very many lines', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `+line ${index}`)
    const applied = `--- a/x\n+++ b/x\n@@ -0,0 +1,${lines.length} @@\n${lines.join('\n')}\n`
    const long = fakeArena((view) =>
      view.patch.outcome.kind === 'applied'
        ? { ...view, patch: { ...view.patch, outcome: { ...view.patch.outcome, applied } } }
        : view,
    )
    const { body } = await buildApp({ queries: long.queries }).inject(`/rounds/${long.idOf('submitter-win')}`)
    expect(body).toContain('more lines of it')
    expect(body.length).toBeLessThan(500_000)
  })

  it('in an address is refused before it is used', async () => {
    for (const url of [
      `/seasons/spring/rounds?task=${encodeURIComponent(HOSTILE)}`,
      `/seasons/${encodeURIComponent('<script>')}`,
      `/rounds/${encodeURIComponent('"><svg onload=alert(1)>')}`,
      '/%3Cscript%3E',
    ]) {
      const { statusCode, body } = await app.inject(url)
      expect([400, 404]).toContain(statusCode)
      expect(tagsOf(body).filter((tag) => /^<(script|svg)\b/.test(tag))).toEqual([])
    }
  })
})
