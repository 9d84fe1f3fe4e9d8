// Builds the git bundles of the example tasks from their readable histories (examples/tasks/NAME/history/commits.json).
// Author, dates and messages are fixed, so that commit ids are the same everywhere.
//   build-examples.mjs             writes examples/tasks/NAME/repository.bundle
//   build-examples.mjs --out DIR   writes DIR/NAME.bundle instead
// Prints {NAME: {commits: [id, …], base: id}} as JSON. Exit code 1 when a task.json names another base commit.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const tasksFolder = fileURLToPath(new URL('../examples/tasks/', import.meta.url))
const author = 'CI Arena examples'
const email = 'examples@example.invalid'

/** Runs git without anybody's configuration; returns its trimmed output. */
function git(folder, args, date = '2025-01-01T00:00:00Z') {
  return execFileSync('git', ['-c', 'core.autocrlf=false', '-c', 'core.fileMode=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: author,
      GIT_AUTHOR_EMAIL: email,
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: author,
      GIT_COMMITTER_EMAIL: email,
      GIT_COMMITTER_DATE: date,
    },
  }).trim()
}

/** Commits one entry of commits.json: a folder of whole files, or patches on what is there. Returns the commit's id. */
function commit(repository, history, entry) {
  if (entry.files) cpSync(join(history, entry.files), repository, { recursive: true })
  for (const patch of entry.patches ?? []) git(repository, ['apply', resolve(history, patch)])
  git(repository, ['add', '--all', '--force'])
  git(repository, ['commit', '--quiet', '--message', entry.message], entry.date)
  if (entry.tag) git(repository, ['tag', entry.tag])
  return git(repository, ['rev-parse', 'HEAD'])
}

function buildTask(name, bundle) {
  const history = join(tasksFolder, name, 'history')
  const entries = JSON.parse(readFileSync(join(history, 'commits.json'), 'utf8'))
  const repository = mkdtempSync(join(tmpdir(), 'arena-example-'))
  try {
    git(repository, ['init', '--quiet', '--initial-branch', 'main'])
    const commits = entries.map((entry) => commit(repository, history, entry))
    git(repository, ['-c', 'pack.threads=1', 'bundle', 'create', '--quiet', bundle, 'HEAD', 'main', '--tags'])
    return { commits, base: commits[entries.findIndex((entry) => entry.base)] }
  } finally {
    rmSync(repository, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { out: { type: 'string' } } })
const names = readdirSync(tasksFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()
const built = Object.fromEntries(
  names.map((name) => [
    name,
    buildTask(
      name,
      values.out ? resolve(values.out, `${name}.bundle`) : join(tasksFolder, name, 'repository.bundle'),
    ),
  ]),
)
process.stdout.write(`${JSON.stringify(built, null, 2)}\n`)
for (const [name, { base }] of Object.entries(built)) {
  const { baseCommit } = JSON.parse(readFileSync(join(tasksFolder, name, 'task.json'), 'utf8'))
  if (baseCommit !== base) {
    process.stderr.write(
      `examples/tasks/${name}/task.json: baseCommit: expected ${base}, found ${baseCommit}\n`,
    )
    process.exitCode = 1
  }
}
