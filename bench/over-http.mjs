// Plays a season over HTTP against scripted OpenAI-compatible servers, with real CI, so that every verdict of the table is reached;
// records it, closes the servers, plays it again offline in another data folder and says whether anything differs.
//
//   node bench/over-http.mjs [--protocol blind|sighted|paper|best-of-k] [--players a,b,…] [--task NAME] [--keep DIR] [--json]
//
// The players have the example competitors' recorded answers; `faulty` is a server that refuses and is cut, `talker` one that has
// nothing to apply. The tasks are an example (the Python one), and the same with a workflow that runs on macOS alone: here no leg of it
// can run, which is void. Needs bubblewrap, git and the task's tools.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { arena, buildArena, root, roundsOf } from './over-http/arena.mjs'
import { printReport } from './over-http/print.mjs'
import { startAnswers } from './over-http/server.mjs'
import { compare, summarise } from './over-http/summary.mjs'

const { values: flags } = parseArgs({
  options: {
    protocol: { type: 'string', default: 'blind' },
    players: { type: 'string' },
    task: { type: 'string', default: 'python-cron-weekday' },
    keep: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const { protocol, task: TASK } = flags
const ON_MACOS = `${TASK}-on-macos`
// In turn every pair plays ten rounds: fewer pairs show the same.
const players = (
  flags.players ??
  (protocol === 'paper'
    ? 'thorough,breaker,talker'
    : 'thorough,steady,symptom,breaker,careless,forger,faulty,talker')
).split(',')

/** The example task with a workflow that runs on macOS alone. */
function makeMacTask(folder) {
  const task = join(root, 'examples', 'tasks', TASK)
  cpSync(task, folder, { recursive: true })
  rmSync(join(folder, 'history'), { recursive: true })
  const document = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8'))
  const clone = `${folder}-repository`
  const git = (...args) =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const inside = (...args) =>
    git('-C', clone, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args)
  git('clone', '--quiet', join(task, 'repository.bundle'), clone)
  inside('checkout', '--quiet', '-b', 'mac', document.baseCommit)
  const workflow = join(clone, document.ci.workflow)
  writeFileSync(workflow, readFileSync(workflow, 'utf8').replace(/runs-on: .*/, 'runs-on: macos-15'))
  inside('commit', '--quiet', '--all', '--message', 'CI on macOS')
  inside('bundle', 'create', '--quiet', join(folder, 'repository.bundle'), 'mac')
  const baseCommit = inside('rev-parse', 'HEAD')
  const issue = `On macOS: ${readFileSync(join(folder, 'issue.md'), 'utf8')}`
  writeFileSync(join(folder, 'issue.md'), issue)
  writeFileSync(join(folder, 'task.json'), JSON.stringify({ ...document, id: ON_MACOS, baseCommit }))
  return issue
}

const work = flags.keep ?? mkdtempSync(join(tmpdir(), 'arena-over-http-'))
mkdirSync(work, { recursive: true })
try {
  await buildArena()
  const macIssue = makeMacTask(join(work, ON_MACOS))
  const issue = readFileSync(join(root, 'examples', 'tasks', TASK, 'issue.md'), 'utf8')
  const server = await startAnswers({
    answers: join(root, 'examples', 'competitors'),
    // The longer issue holds the shorter one.
    tasks: [
      { id: ON_MACOS, like: TASK, issue: macIssue },
      { id: TASK, like: TASK, issue },
    ],
    drawn: protocol === 'best-of-k' ? ['symptom', 'thorough'] : undefined,
  })
  for (const player of players)
    writeFileSync(
      join(work, `${player}.json`),
      JSON.stringify({
        id: player,
        label: player,
        team: player,
        player: { kind: 'endpoint', endpoint: { baseUrl: server.baseUrl(player), model: player } },
      }),
    )
  const verifier = { endpoint: { baseUrl: server.baseUrl('verifier'), model: 'verifier' } }
  const season = join(work, 'season.json')
  writeFileSync(
    season,
    JSON.stringify({
      id: 'over-http',
      title: 'Over HTTP',
      protocol,
      ...(protocol === 'best-of-k' ? { bestOf: { k: 3, temperature: 0.8, verifier } } : {}),
      tasks: [join(root, 'examples', 'tasks', TASK), ON_MACOS],
      competitors: players.map((player) => `endpoint:${player}.json`),
      controls: protocol !== 'paper',
      retrieval: { variant: 'ours', budgetTokens: 4000 },
      prices: {
        date: '2026-11-30',
        currency: 'USD',
        models: Object.fromEntries(
          [...players, 'verifier'].map((player) => [player, { input: 1, output: 2 }]),
        ),
      },
    }),
  )
  const started = Date.now()
  const data = join(work, 'data')
  const again = join(work, 'again')
  const recording = join(work, 'recording')
  const played = await arena('season', season, '--allow-loopback', '--data', data)
  const seconds = Math.round((Date.now() - started) / 1000)
  await arena('record', 'over-http', '--out', recording, '--data', data)
  await server.close()
  const replayed = await arena('season', season, '--replay', recording, '--data', again)
  const first = await roundsOf('over-http', data)
  const same = compare(first, await roundsOf('over-http', again))
  const { spending, usage, cells, draws } = played
  const report = {
    protocol,
    players,
    seconds,
    ...summarise(first),
    requests: server.asked,
    tokens: { prompt: spending.promptTokens, completion: spending.completionTokens },
    cost: spending.cost,
    cells,
    usage,
    draws,
    replay: { ...same, sameSpending: JSON.stringify(replayed.spending) === JSON.stringify(spending) },
  }
  if (flags.json) console.log(JSON.stringify(report, null, 2))
  else printReport(report)
  if (same.differences.length > 0 || same.again !== same.rounds) process.exitCode = 1
} finally {
  if (!flags.keep) rmSync(work, { recursive: true, force: true })
}
