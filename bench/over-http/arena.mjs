// The command as a user runs it, and what its API shows of a season.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const command = join(root, 'dist', 'arena.mjs')

const run = (args, options) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let out = ''
    let errors = ''
    child.stdout.on('data', (data) => (out += data))
    child.stderr.on('data', (data) => (errors = (errors + data).slice(-4000)))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out, errors }))
  })

export async function buildArena() {
  if (!existsSync(command)) await run([join(root, 'scripts', 'build.mjs')], { cwd: root })
}

/** The JSON that a command prints; throws what it said when its exit code is not 0. */
export async function arena(...args) {
  const { code, out, errors } = await run([command, ...args, '--json'])
  if (code !== 0) throw new Error(`arena ${args[0]} ended with ${code}: ${errors}`)
  return JSON.parse(out)
}

/** Every round of a season with its generations and cells, by the API. */
export async function roundsOf(season, data) {
  const child = spawn(process.execPath, [command, 'serve', '--port', '0', '--data', data, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const address = await new Promise((resolve, reject) => {
      let out = ''
      child.on('close', () => reject(new Error('arena serve ended')))
      child.stdout.on('data', (part) => {
        out += part
        const found = /"address": "([^"]+)"/.exec(out)
        if (found) resolve(found[1])
      })
    })
    const get = async (path) => (await fetch(new URL(path, address))).json()
    const list = await get(`/api/v1/seasons/${season}/rounds`)
    const rounds = []
    for (const { id } of list.rounds ?? list) rounds.push(await get(`/api/v1/rounds/${id}`))
    return rounds
  } finally {
    child.kill('SIGTERM')
    await new Promise((resolve) => child.on('close', resolve))
  }
}
