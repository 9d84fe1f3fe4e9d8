import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnswerServer, startAnswerServer } from '../helpers/answer-server.ts'
import { buildCommand, type CommandResult, runArena } from '../helpers/command.ts'
import { answering } from '../helpers/openai-server.ts'
import { canPlayPython } from '../helpers/playable.ts'
import { gitIn, temporaryFolder, writeTree } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const WORKFLOW = `name: CI
on: pull_request
jobs:
  style:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: python3 -m compileall -q shelf
  unit:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: python3 -m pytest
`
const SOURCE = `def median(values):
    """The value in the middle."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
`
const FIXED = SOURCE.replace(
  '    return ordered[len(ordered) // 2]\n',
  `    middle = len(ordered) // 2
    if len(ordered) % 2 == 0:
        return (ordered[middle - 1] + ordered[middle]) / 2
    return ordered[middle]
`,
)
const TESTS = `from shelf import median


def test_three_values():
    assert median([3, 1, 2]) == 2
`
const EVEN = `

def test_four_values():
    assert median([4, 1, 3, 2]) == 2.5
`

const wholeFile = (path: string, text: string): string => `\`\`\`python ${path}\n${text}\`\`\`\n`

describe('arena task new', () => {
  const place = temporaryFolder('arena-task-new')
  const repo = join(place.path, 'Own Project')
  const servers: AnswerServer[] = []
  const from = (folder: string, ...args: string[]): Promise<CommandResult> =>
    runArena(['task', 'new', ...args], {}, join(place.path, folder))
  const refusal = async (folder: string, ...args: string[]): Promise<string> => {
    const result = await from(folder, ...args)
    expect(result.exitCode, result.stdout).toBe(2)
    const lines = result.stderr.trim().split('\n')
    expect(lines, result.stderr).toHaveLength(1)
    return lines[0] ?? ''
  }
  const diff = (...args: string[]): string => `${gitIn(repo, 'diff', 'main', 'fix', ...args)}\n`

  beforeAll(async () => {
    await buildCommand()
    mkdirSync(join(place.path, 'elsewhere'))
    writeTree(repo, {
      '.github/workflows/ci.yml': WORKFLOW,
      'shelf/__init__.py': SOURCE,
      'tests/test_median.py': TESTS,
    })
    gitIn(repo, 'init', '--quiet', '--initial-branch=main')
    gitIn(repo, 'add', '.')
    gitIn(repo, 'commit', '--quiet', '-m', 'Begin')
    gitIn(repo, 'checkout', '--quiet', '-b', 'fix')
    writeTree(repo, { 'shelf/__init__.py': FIXED, 'tests/test_median.py': TESTS + EVEN })
    gitIn(repo, 'commit', '--quiet', '-am', 'Average the two in the middle')
    gitIn(repo, 'checkout', '--quiet', 'main')
    writeTree(place.path, {
      'notes/issue.md': 'median of an even number of values\n\nmedian([4, 1, 3, 2]) should be 2.5.\n',
      'notes/fix.patch': diff('--', 'shelf'),
      'notes/tests.patch': diff('--', 'tests'),
      'notes/empty.md': '\n',
    })
  }, 120_000)
  afterAll(async () => {
    for (const server of servers) await server.close()
    place[Symbol.dispose]()
  })

  const ISSUE = ['--issue', '../notes/issue.md']
  const DIFFS = ['--golden', '../notes/fix.patch', '--tests', '../notes/tests.patch']
  const REPO = ['--repo', '../Own Project']

  it('finds the job that runs the tests, from another folder, by relative paths', async () => {
    const made = await from('elsewhere', ...REPO, ...ISSUE, ...DIFFS, '--out', 'tasks/median')
    expect(made.exitCode, made.stderr).toBe(0)
    expect(made.stdout).toMatch(/median of an even number of values/)
    expect(made.stdout).toMatch(/python, \.github\/workflows\/ci\.yml, job unit, base [0-9a-f]{12}\n/)
    const folder = join(place.path, 'elsewhere/tasks/median')
    expect(readdirSync(folder).sort()).toEqual(['golden.patch', 'issue.md', 'task.json', 'tests.patch'])
    const task: unknown = JSON.parse(readFileSync(join(folder, 'task.json'), 'utf8'))
    expect(task).toMatchObject({
      id: 'median',
      language: 'python',
      baseCommit: gitIn(repo, 'rev-parse', 'main'),
      ci: { workflow: '.github/workflows/ci.yml', event: 'pull_request', jobs: ['unit'] },
    })
    expect(await refusal('elsewhere', ...REPO, ...ISSUE, ...DIFFS, '--out', 'tasks/median')).toMatch(
      /--out: there is a task already/,
    )
  })

  it.skipIf(needs('bubblewrap with pytest', canPlayPython()))(
    'a battle on it gives verdicts',
    {
      timeout: 300_000,
    },
    async () => {
      const player = async (model: string, patch: string, tests: string): Promise<string> => {
        const server = await startAnswerServer(model, {
          patch: [answering(patch)],
          tests: [answering(tests)],
        })
        servers.push(server)
        return server.address
      }
      const right = await player(
        'right',
        wholeFile('shelf/__init__.py', FIXED),
        wholeFile('tests/test_even.py', `from shelf import median\n${EVEN}`),
      )
      const wrong = await player('wrong', wholeFile('shelf/__init__.py', `${SOURCE}\n`), 'No idea.')
      const args = ['battle', '--data', '../data', '--json', '--submitter', right, '--reviewer', wrong]
      const battle = await runArena([...args, '--task', 'tasks/median'], {}, join(place.path, 'elsewhere'))
      expect(battle.exitCode, battle.stderr).toBe(0)
      const { rounds } = JSON.parse(battle.stdout) as {
        rounds: { submitter: string; verdict: { kind: string; killedBy: { case: string }[] } }[]
      }
      const verdicts = rounds.map(({ submitter, verdict }) => [
        submitter,
        verdict.kind,
        verdict.killedBy.map((key) => key.case),
      ])
      expect(verdicts).toEqual([
        ['right', 'reviewer-forfeit', []],
        ['wrong', 'reviewer-win', ['test_four_values']],
      ])
    },
  )

  it.skipIf(needs('bubblewrap with pytest', canPlayPython()))(
    'a live issue is said to have no verdict, and a battle on it too',
    { timeout: 120_000 },
    async () => {
      const made = await from('elsewhere', ...REPO, ...ISSUE, '--out', 'tasks/live')
      expect(made.exitCode, made.stderr).toBe(0)
      expect(made.stdout).toMatch(/a live issue: without --golden and --tests a round on it has no verdict/)
      const address = 'http://127.0.0.1:9/v1#a'
      const args = ['battle', '--data', '../data', '--submitter', address, '--reviewer', address]
      const battle = await runArena([...args, '--task', 'tasks/live'], {}, join(place.path, 'elsewhere'))
      expect(battle.exitCode).toBe(2)
      expect(battle.stderr.trim().split('\n')).toHaveLength(1)
      expect(battle.stderr).toMatch(/task\.json: goldenPatch: null: a live issue has no verdict/)
    },
  )

  it('takes a folder inside the repository, and a fix branch as the base', async () => {
    const made = await from(
      'Own Project/shelf',
      '--repo',
      '.',
      ...['--base', 'fix', '--json'],
      ...['--issue', '../../notes/issue.md', '--out', '../../elsewhere/tasks/inside'],
    )
    expect(made.exitCode, made.stderr).toBe(0)
    expect(JSON.parse(made.stdout)).toMatchObject({
      task: { baseCommit: gitIn(repo, 'rev-parse', 'fix'), repository: { path: repo } },
    })
  })

  it.each([
    ['no such repository', ['--repo', '../nowhere', ...ISSUE], /--repo: there is no such folder/],
    ['a folder without git', ['--repo', '../notes', ...ISSUE], /--repo: this is no git repository/],
    ['no issue file', [...REPO, '--issue', '../notes/none.md'], /none\.md: --issue: cannot be read/],
    ['an empty issue', [...REPO, '--issue', '../notes/empty.md'], /empty\.md: --issue: is empty/],
    ['no such commit', [...REPO, ...ISSUE, '--base', 'v9'], /--base: v9 is no commit/],
    ['a golden patch alone', [...REPO, ...ISSUE, ...DIFFS.slice(0, 2)], /--golden and --tests go together/],
    [
      'a fix that is in the base commit',
      [...REPO, ...ISSUE, ...DIFFS, '--base', 'fix'],
      /fix\.patch: --golden: does-not-apply on [0-9a-f]{12} .*--base/,
    ],
    [
      'fix and tests exchanged',
      [...REPO, ...ISSUE, '--golden', '../notes/tests.patch', '--tests', '../notes/fix.patch'],
      /tests\.patch: --golden: changes nothing but tests/,
    ],
    [
      'no such workflow',
      [...REPO, ...ISSUE, '--workflow', 'test.yml'],
      /--workflow test\.yml: there is no such workflow; there are \.github\/workflows\/ci\.yml/,
    ],
    [
      'no such job',
      [...REPO, ...ISSUE, '--job', 'tests'],
      /--job tests: there is no such job; there are style, unit/,
    ],
    [
      'a job without tests',
      [...REPO, ...ISSUE, '--job', 'style'],
      /no workflow job .* was found; name it with --workflow, --job and --language/,
    ],
    ['no such language', [...REPO, ...ISSUE, '--language', 'perl'], /--language perl: expected cpp, python/],
  ])('%s is said in one line, and nothing is written', async (what, args, message) => {
    const out = `tasks/${what.replaceAll(' ', '-')}`
    expect(await refusal('elsewhere', ...args, '--out', out)).toMatch(message)
    expect(existsSync(join(place.path, 'elsewhere', out))).toBe(false)
  })

  it('a workflow that is not committed yet is no workflow', async () => {
    const bare = join(place.path, 'bare')
    writeTree(bare, { 'README.md': 'x\n' })
    gitIn(bare, 'init', '--quiet', '--initial-branch=main')
    gitIn(bare, 'add', '.')
    gitIn(bare, 'commit', '--quiet', '-m', 'Begin')
    writeTree(bare, { '.github/workflows/ci.yml': WORKFLOW })
    expect(await refusal('elsewhere', '--repo', '../bare', ...ISSUE, '--out', 'tasks/bare')).toMatch(
      /there is no workflow in \.github\/workflows\/; commit one, .*--workflow/,
    )
    writeFileSync(join(bare, '.github/workflows/ci.yml'), WORKFLOW)
    gitIn(bare, 'add', '.')
    gitIn(bare, 'commit', '--quiet', '-m', 'Add CI')
    const made = await from(
      'elsewhere',
      '--repo',
      '../bare',
      ...ISSUE,
      '--workflow',
      'ci.yml',
      '--out',
      'tasks/bare',
    )
    expect(made.exitCode, made.stderr).toBe(0)
  })
})
