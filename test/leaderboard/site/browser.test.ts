import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../src/api/app.ts'
import { type Listening, listen } from '../../../src/api/server.ts'
import { chromiumPath, openBrowser } from '../../helpers/browser.ts'
import { needs } from '../../helpers/require.ts'
import { spoil } from '../../helpers/view-spoil.ts'
import { emptyArena, fakeArena } from '../../helpers/views.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Visitor {
  readonly page: Page
  /** What the browser complained of so far: script errors, refused resources, violated policies. */
  readonly complaints: readonly string[]
}

describe.skipIf(needs('chromium', chromiumPath !== undefined))('the pages in a browser', () => {
  const arena = fakeArena()
  const hostile = fakeArena(spoil)
  const served: Listening[] = []
  let browser: Browser
  const sites = { arena: '', hostile: '', empty: '' }

  beforeAll(async () => {
    browser = await openBrowser()
    const serve = async (queries: typeof emptyArena): Promise<string> => {
      const listening = await listen(buildApp({ queries }), { port: 0, host: '127.0.0.1' })
      served.push(listening)
      return listening.address
    }
    sites.arena = await serve(arena.queries)
    sites.hostile = await serve(hostile.queries)
    sites.empty = await serve(emptyArena)
  })

  afterAll(async () => {
    await browser.close()
    await Promise.all(served.map((listening) => listening.close()))
  })

  /** One page for several addresses: a new one each time takes longer than all that is looked at. */
  async function inBrowser(
    options: BrowserContextOptions,
    look: (visitor: Visitor) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options)
    try {
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('requestfailed', (request) => complaints.push(`failed ${request.url()}`))
      page.on('request', (request) => {
        const ours = Object.values(sites).includes(new URL(request.url()).origin)
        if (!ours) complaints.push(`asked ${request.url()}`)
      })
      await look({ page, complaints })
    } finally {
      await context.close()
    }
  }

  const openFolds = (page: Page): Promise<void> =>
    page.evaluate(() => {
      for (const fold of document.querySelectorAll('details')) fold.open = true
    })

  /** Axe's own rules and its best practices, as `rule: element`. */
  async function faultsIn(page: Page): Promise<readonly string[]> {
    await page.evaluate(axeSource)
    const results = await page.evaluate(() => {
      const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }
      return axe.run({ resultTypes: ['violations'] })
    })
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    )
  }

  const pages = (): readonly (readonly [string, string])[] => [
    ['standings', `${sites.arena}/`],
    ['rounds', `${sites.arena}/seasons/spring/rounds`],
    ['a killed patch', `${sites.arena}/rounds/${arena.idOf('reviewer-win')}`],
    ['a forfeit', `${sites.arena}/rounds/${arena.idOf('submitter-forfeit')}`],
    ['a void', `${sites.arena}/rounds/${arena.idOf('void')}`],
    ['hostile text', `${sites.hostile}/rounds/${hostile.idOf('reviewer-win')}`],
    ['the method', `${sites.arena}/method`],
    ['no season', `${sites.empty}/`],
    ['nothing there', `${sites.arena}/nothing`],
  ]

  it('leads from the standings to a round, to its logs and back', async () => {
    await inBrowser({}, async ({ page, complaints }) => {
      await page.goto(sites.arena)
      expect(await page.title()).toBe('Spring season · CI Arena')
      await page.getByRole('link', { name: 'Py: patch killed' }).first().click()
      await page.waitForURL('**/rounds/*')
      expect(await page.locator('h1').textContent()).toContain('killed the patch of')
      expect(await page.locator('.flag').textContent()).toContain('killed the patch')
      await page.getByText('tests on patch').click()
      const log = page.getByRole('link', { name: 'log' }).first()
      expect(await log.getAttribute('href')).toMatch(/^\/logs\/[0-9a-f]{64}$/)
      await page.getByRole('link', { name: 'CI Arena' }).click()
      expect(await page.locator('h1').textContent()).toBe('Spring season')
      expect(complaints).toEqual([])
    })
  })

  it('filters rounds with a form, without JavaScript', async () => {
    await inBrowser({ javaScriptEnabled: false }, async ({ page, complaints }) => {
      await page.goto(`${sites.arena}/seasons/spring/rounds`)
      await page.getByLabel('Verdict').selectOption('void')
      await page.getByRole('button', { name: 'Show' }).click()
      await page.waitForURL('**verdict=void**')
      expect(await page.getByText('1 round', { exact: true }).count()).toBe(1)
      expect(await page.getByLabel('Verdict').inputValue()).toBe('void')
      expect(complaints).toEqual([])
    })
  })

  it.each(['light', 'dark'] as const)(
    'has no fault that axe knows, in %s',
    { timeout: 240_000 },
    async (colorScheme) => {
      await inBrowser({ colorScheme }, async ({ page, complaints }) => {
        for (const [name, url] of pages()) {
          await page.goto(url)
          await openFolds(page)
          expect([name, await faultsIn(page)]).toEqual([name, []])
        }
        // The page that is not there is a 404, which the browser tells.
        expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([])
      })
    },
  )

  it('never scrolls sideways, on a phone or in a narrow window', { timeout: 120_000 }, async () => {
    await inBrowser({}, async ({ page }) => {
      for (const [name, url] of pages()) {
        await page.goto(url)
        await openFolds(page)
        for (const width of [390, 768]) {
          await page.setViewportSize({ width, height: 844 })
          expect([name, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
            name,
            width,
          ])
        }
      }
    })
  })

  it('says the same with JavaScript and without, and has none', { timeout: 120_000 }, async () => {
    const textsWith = async (javaScriptEnabled: boolean): Promise<readonly (string | null)[]> => {
      const texts: (string | null)[] = []
      await inBrowser({ javaScriptEnabled }, async ({ page }) => {
        for (const [, url] of pages()) {
          await page.goto(url)
          texts.push(await page.locator('main').textContent())
          expect(await page.locator('script').count()).toBe(0)
        }
      })
      return texts
    }
    expect(await textsWith(false)).toEqual(await textsWith(true))
  })

  it('leaves hostile text without effect', async () => {
    await inBrowser({}, async ({ page, complaints }) => {
      await page.goto(`${sites.hostile}/rounds/${hostile.idOf('reviewer-win')}`)
      await openFolds(page)
      expect(await page.title()).toContain('· CI Arena')
      expect(await page.locator('main :is(img, iframe, script, object, svg)').count()).toBe(0)
      expect(complaints).toEqual([])
    })
  })

  it('is usable by keyboard: the first stop skips to the content', async () => {
    await inBrowser({}, async ({ page }) => {
      await page.goto(sites.arena)
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
      await page.keyboard.press('Enter')
      expect(new URL(page.url()).hash).toBe('#content')
    })
  })
})
