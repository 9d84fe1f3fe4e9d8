// Plays the demo in a fresh data folder, plays it again, decides and plays it with another version of the judge, and says
// what that cost.
//
//   node bench/demo.mjs [--language NAME] [--sandbox KIND] [--season FILE] [--node PATH] [--json]
//
// CPU times are those of control groups, so it needs root. "The repositories' own": all that ran inside the sandboxes, less
// what an empty command costs there for each command that was run. "Ours": all the rest: the arena's process with its
// database, the tools that it starts to mount and unmount, and the start of each command. A Docker daemon's own time is in
// neither. The commit of a tree and the wrappers around test runners run inside and count as the repositories'.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values: flags } = parseArgs({
  options: {
    language: { type: 'string' },
    sandbox: { type: 'string', default: 'bubblewrap' },
    season: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    json: { type: 'boolean', default: false },
  },
})

const EMPTY_COMMANDS = 50

/** A control group that counts CPU time; undefined where none can be made. */
function openCpuGroup(name) {
  const places = [
    {
      folder: `/sys/fs/cgroup/cpuacct/${name}`,
      read: (folder) => Number(text(folder, 'cpuacct.usage')) / 1e6,
    },
    {
      folder: `/sys/fs/cgroup/${name}`,
      read: (folder) => Number(/usage_usec (\d+)/.exec(text(folder, 'cpu.stat'))?.[1]) / 1e3,
    },
  ]
  for (const { folder, read } of places) {
    try {
      mkdirSync(folder)
    } catch {
      continue
    }
    const close = () => rmdirSync(folder)
    try {
      if (Number.isFinite(read(folder)))
        return { procs: join(folder, 'cgroup.procs'), cpuMs: () => read(folder), close }
    } catch {
      // A plain folder, or a hierarchy without this controller: the next one.
    }
    close()
  }
  return undefined
}

const text = (folder, file) => readFileSync(join(folder, file), 'utf8')

let groups = 0

/** Runs a command to its end: what it printed, its wall clock, and the CPU time of its group; sandboxes are in their own. */
async function measure(command) {
  const group = openCpuGroup(`arena-bench-${process.pid}-${groups++}`)
  if (!group) throw new Error('no control group for CPU time can be made here: run it as root')
  const script = 'echo $$ > "$1" && shift && exec "$@"'
  const started = performance.now()
  try {
    const child = spawn('/bin/bash', ['-c', script, 'join', group.procs, ...command], {
      cwd: root,
      stdio: ['ignore', 'pipe', flags.json ? 'ignore' : 'inherit'],
    })
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    const exitCode = await new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', resolve)
    })
    const wallMs = performance.now() - started
    return { exitCode, stdout: Buffer.concat(chunks).toString('utf8'), wallMs, cpuMs: group.cpuMs() }
  } finally {
    group.close()
  }
}

/** CPU milliseconds that starting a command in a bubblewrap sandbox takes, as the runner starts it. */
async function emptyCommandMs() {
  const chain = [
    ...['nsenter', '--target', '$$', '--mount', '--', 'prlimit', '--core=0', '--'],
    ...['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all'],
    ...['--bounding-set=-all', '--no-new-privs', '--'],
    ...['bwrap', '--unshare-all', '--unshare-user', '--cap-drop', 'ALL', '--ro-bind', '/', '/'],
    ...['--proc', '/proc', '--dev', '/dev', '--', '/usr/bin/env', 'bash', '--noprofile', '--norc', '-c', ':'],
  ].join(' ')
  const loop = (work) => `for ((i = 0; i < ${EMPTY_COMMANDS}; i++)); do ${work} || exit 1; done`
  const full = await measure(['/bin/bash', '-c', loop(chain)])
  if (full.exitCode !== 0) throw new Error('an empty command could not be run in bubblewrap')
  return full.cpuMs / EMPTY_COMMANDS
}

const ARENA = join(root, 'dist', 'arena.mjs')
const OTHER_JUDGE = join(root, 'dist', `arena-other-judge-${process.pid}.mjs`)

/** The same command with another version of the judge. */
function writeOtherJudge() {
  const bundle = readFileSync(ARENA, 'utf8')
  const other = bundle.replace(/\bJUDGE_VERSION = "([^"]+)"/, 'JUDGE_VERSION = "$1-bench"')
  if (other === bundle) throw new Error('no judge version in dist/arena.mjs: npm run build')
  writeFileSync(OTHER_JUDGE, other)
}

const arena = async (bundle, data, ...args) => {
  const shared = ['--data', data, '--sandbox', flags.sandbox, '--json']
  const run = await measure([flags.node, bundle, ...args, ...shared])
  if (run.exitCode > 1) throw new Error(`arena ${args[0]} ended with ${run.exitCode}`)
  return { ...run, answer: JSON.parse(run.stdout) }
}

const play = (bundle, data) =>
  flags.season
    ? arena(bundle, data, 'season', flags.season)
    : arena(bundle, data, 'demo', '--no-serve', ...(flags.language ? ['--language', flags.language] : []))

/** Splits the CPU time of a run. `outside`: of the arena's own group. */
function shares({ cpuMs: outside, answer: { usage } }, emptyMs) {
  if (usage.cpuMs === null) throw new Error('the sandboxes could not tell their CPU time')
  const starts = Math.min(usage.cpuMs, usage.commands * emptyMs)
  const total = outside + usage.cpuMs
  const ours = outside + starts
  return {
    totalMs: total,
    outsideMs: outside,
    startsMs: starts,
    repositoriesMs: usage.cpuMs - starts,
    share: ours / total,
  }
}

const data = mkdtempSync(join(tmpdir(), 'arena-bench-'))
try {
  const emptyMs = flags.sandbox === 'docker' ? 0 : await emptyCommandMs()
  const first = await play(ARENA, data)
  const second = await play(ARENA, data)
  writeOtherJudge()
  const rejudged = await arena(OTHER_JUDGE, data, 'rejudge', first.answer.standings.season)
  const replayed = await play(OTHER_JUDGE, data)
  const report = {
    machine: { cores: cpus().length, node: (await measure([flags.node, '--version'])).stdout.trim() },
    rounds: first.answer.rounds,
    mismatches: first.answer.mismatches?.length ?? null,
    first: {
      wallMs: first.wallMs,
      cells: first.answer.cells,
      usage: first.answer.usage,
      emptyCommandMs: emptyMs,
      cpu: shares(first, emptyMs),
    },
    second: {
      wallMs: second.wallMs,
      cpuMs: second.cpuMs + (second.answer.usage.cpuMs ?? 0),
      cells: second.answer.cells,
      usage: second.answer.usage,
      changed: second.answer.changed.length,
    },
    otherJudge: {
      wallMs: rejudged.wallMs,
      judgeVersion: rejudged.answer.judgeVersion,
      rounds: rejudged.answer.rounds,
      changed: rejudged.answer.changed.length,
      withoutCells: rejudged.answer.stale.length,
      playedAgain: replayed.answer.cells,
    },
    faster: first.wallMs / second.wallMs,
    lessCpu: shares(first, emptyMs).totalMs / second.cpuMs,
  }
  process.stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : render(report))
} finally {
  rmSync(OTHER_JUDGE, { force: true })
  rmSync(data, { recursive: true, force: true })
}

function render({ machine, rounds, mismatches, first, second, otherJudge, faster, lessCpu }) {
  const s = (ms) => `${(ms / 1000).toFixed(1)} s`
  const percent = (share) => `${(share * 100).toFixed(1)} %`
  return [
    `machine          ${machine.cores} cores, Node ${machine.node}, sandbox ${flags.sandbox}`,
    `rounds           ${rounds}${mismatches === null ? '' : `, ${mismatches} not as expected`}`,
    `first run        ${s(first.wallMs)} wall, ${s(first.cpu.totalMs)} CPU; cells: ${first.cells.hit} found, ${first.cells.miss} run`,
    `  sandboxes      ${first.usage.sandboxes} with ${first.usage.commands} commands; an empty command takes ${first.emptyCommandMs.toFixed(1)} ms CPU`,
    `  repositories'  ${s(first.cpu.repositoriesMs)} CPU`,
    `  ours           ${s(first.cpu.outsideMs)} outside the sandboxes + ${s(first.cpu.startsMs)} to start commands = ${percent(first.cpu.share)}`,
    `second run       ${s(second.wallMs)} wall, ${s(second.cpuMs)} CPU; cells: ${second.cells.hit} found, ${second.cells.miss} run; ${faster.toFixed(1)} times faster, ${lessCpu.toFixed(1)} times less CPU`,
    `another judge    ${s(otherJudge.wallMs)} wall; judge ${otherJudge.judgeVersion}: ${otherJudge.rounds} rounds, ${otherJudge.changed} changed, ${otherJudge.withoutCells} without their cells; played again: ${otherJudge.playedAgain.hit} cells found, ${otherJudge.playedAgain.miss} run`,
    '',
  ].join('\n')
}
