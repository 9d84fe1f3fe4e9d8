// Draws docs/leaderboard.png from a played season: node scripts/picture.mjs DATA-FOLDER [CHROMIUM]
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('..', import.meta.url))
const [data, executablePath = '/usr/bin/chromium'] = process.argv.slice(2)
if (!data) {
  console.error('usage: node scripts/picture.mjs DATA-FOLDER [CHROMIUM]')
  process.exit(2)
}

const server = spawn('node', [`${root}dist/arena.mjs`, 'serve', '--port', '0', '--data', data], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const address = await new Promise((resolve, reject) => {
  let text = ''
  server.stdout.on('data', (chunk) => {
    text += chunk
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
    if (found) resolve(found[0])
  })
  server.on('exit', () => reject(new Error('arena serve ended')))
})
const browser = await chromium.launch({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
  ],
})
try {
  const page = await browser.newPage({ viewport: { width: 1180, height: 820 }, deviceScaleFactor: 1.5 })
  await page.goto(address)
  await page.screenshot({ path: `${root}docs/leaderboard.png` })
} finally {
  await browser.close()
  server.kill('SIGTERM')
}
