import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AnswerServer,
  messagesOf,
  recorded,
  slowly,
  startAnswerServer,
  startRecordedServer,
} from '../helpers/answer-server.ts'
import { buildCommand, type CommandResult, runArena, startArena } from '../helpers/command.ts'
import { answering, faults, refusing } from '../helpers/openai-server.ts'
import { canPlayPython } from '../helpers/playable.ts'
import { temporaryFolder } from '../helpers/repository.ts'
import { needs } from '../helpers/require.ts'

const TASK = 'python-cron-weekday'
const TASK_FOLDER = `examples/tasks/${TASK}`
const KEY = 'sk-planted-9f2c41d0b7aa'

interface RoundAnswer {
  id: string
  submitter: string
  reviewer: string
  verdict: { kind: string; submitterReason: string | null; reviewerReason: string | null }
}
interface BattleAnswer {
  season: string
  rounds: RoundAnswer[]
  cells: { hit: number; miss: number }
}
interface Shown {
  patch: ShownGeneration
  tests: ShownGeneration
}
interface ShownGeneration {
  competitor: string
  prompt: string
  calls: {
    text: string
    stopReason: string | null
    promptTokens: number | null
    completionTokens: number | null
    error: string | null
  }[]
}

const oneLine = (result: CommandResult): string => {
  const lines = result.stderr.trim().split('\n')
  expect(lines, result.stderr).toHaveLength(1)
  return lines[0] ?? ''
}

type Refused = readonly [what: string, args: readonly string[], message: RegExp]

describe('a battle that cannot be played', () => {
  const data = temporaryFolder('arena-battle-wrong')
  beforeAll(buildCommand, 120_000)
  afterAll(() => data[Symbol.dispose]())

  const sides = ['--submitter', 'http://127.0.0.1:9/v1#a', '--reviewer', 'http://127.0.0.1:9/v1#b']
  const cases: readonly Refused[] = [
    ['no task', sides, /--task is missing/],
    ['no reviewer', ['--task', TASK_FOLDER, ...sides.slice(0, 2)], /--reviewer is missing/],
    [
      'an address without a model',
      ['--task', TASK_FOLDER, '--submitter', 'http://127.0.0.1:9/v1', ...sides.slice(2)],
      /--submitter http:\/\/127\.0\.0\.1:9\/v1: expected URL#MODEL; for example/,
    ],
    [
      'no URL',
      ['--task', TASK_FOLDER, '--submitter', 'here#a', ...sides.slice(2)],
      /--submitter: baseUrl: .*URL/i,
    ],
    [
      'a private address that was not allowed',
      ['--task', TASK_FOLDER, '--submitter', 'http://10.0.0.5:8000/v1#a', ...sides.slice(2)],
      /a: endpoint\.baseUrl: the address 10\.0\.0\.5 is not allowed; .*--allow-address/,
    ],
    [
      'a name where an address is allowed',
      ['--task', TASK_FOLDER, ...sides, '--allow-address', 'gpu'],
      /--allow-address gpu: expected IP addresses/,
    ],
    ['no time', ['--task', TASK_FOLDER, ...sides, '--timeout', '0'], /--timeout 0: expected a whole number/],
    [
      'a recording that is none',
      ['--task', TASK_FOLDER, ...sides, '--replay', 'examples'],
      /examples\/recording\.json: the recording cannot be read; name a folder that arena record has written/,
    ],
    ['too many attempts', ['--task', TASK_FOLDER, ...sides, '--attempts', '9'], /--attempts 9: expected/],
    [
      'a variable that is not set',
      ['--task', TASK_FOLDER, ...sides, '--reviewer-key-env', 'NO_SUCH_KEY'],
      /NO_SUCH_KEY.*not set.*set NO_SUCH_KEY/,
    ],
    [
      'a key where its variable is named',
      ['--task', TASK_FOLDER, ...sides, '--reviewer-key-env', KEY],
      /keyEnv/,
    ],
    ['a folder without a task', ['--task', 'examples', ...sides], /examples: holds no task\.json/],
  ]
  // What is looked at when a sandbox has been found.
  const late = ['a private address that was', 'a recording', 'a variable', 'a folder without']
  const isLate = ([what]: Refused): boolean => late.some((start) => what.startsWith(start))
  const isPlayable = !needs('bubblewrap with pytest', canPlayPython())
  it.each(cases.filter((one) => isPlayable || !isLate(one)))(
    '%s is said in one line',
    { timeout: 120_000 },
    async (_what, args, message) => {
      const result = await runArena(['battle', '--data', data.path, ...args])
      expect(result.exitCode).toBe(2)
      const line = oneLine(result)
      expect(line).toMatch(message)
      expect(line).not.toContain(KEY)
      expect(result.stdout).toBe('')
    },
  )
})

describe.skipIf(needs('bubblewrap with pytest', canPlayPython()))('a battle of two endpoints', () => {
  const data = temporaryFolder('arena-battle')
  const servers: AnswerServer[] = []
  const kept = async (starting: Promise<AnswerServer>): Promise<AnswerServer> => {
    const server = await starting
    servers.push(server)
    return server
  }
  const serverOf = (competitor: string): Promise<AnswerServer> => kept(startRecordedServer(competitor, TASK))
  const argsOf = (submitter: string, reviewer: string, ...more: string[]): string[] => [
    'battle',
    '--data',
    data.path,
    '--task',
    TASK_FOLDER,
    '--submitter',
    submitter,
    '--reviewer',
    reviewer,
    ...more,
  ]
  const play = async (submitter: string, reviewer: string): Promise<BattleAnswer & CommandResult> => {
    const result = await runArena(argsOf(submitter, reviewer, '--json'))
    expect(result.exitCode, result.stderr).toBe(0)
    return { ...result, ...(JSON.parse(result.stdout) as BattleAnswer) }
  }
  const show = async (round: RoundAnswer | undefined): Promise<Shown> => {
    const result = await runArena(['show', round?.id ?? '', '--json', '--data', data.path])
    expect(result.exitCode, result.stderr).toBe(0)
    return JSON.parse(result.stdout) as Shown
  }
  const verdictsOf = (rounds: readonly RoundAnswer[]): Record<string, string> =>
    Object.fromEntries(
      rounds.map(({ submitter, reviewer, verdict }) => [
        `${submitter} against ${reviewer}`,
        [verdict.kind, verdict.submitterReason, verdict.reviewerReason].filter(Boolean).join(' '),
      ]),
    )

  beforeAll(buildCommand, 120_000)
  afterAll(async () => {
    for (const server of servers) await server.close()
    data[Symbol.dispose]()
  })

  it('sees a patch killed and one that does not apply, with the transcript kept', {
    timeout: 300_000,
  }, async () => {
    const thorough = await serverOf('thorough')
    const careless = await serverOf('careless')
    const { rounds, stderr } = await play(thorough.address, careless.address)
    expect(verdictsOf(rounds)).toEqual({
      'thorough against careless': 'reviewer-win',
      'careless against thorough': 'submitter-forfeit does-not-apply',
    })
    expect(stderr).toMatch(
      /thorough: 2 to 4 calls, about \d+ to \d+ prompt tokens, at most \d+ answer tokens/,
    )

    // Asked again with the reason, once: two attempts are the default.
    expect(careless.asked('patch')).toHaveLength(2)
    const again = careless.asked('patch')[1]
    const told = again ? messagesOf(again) : []
    expect(told.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(told[3]?.content).toMatch(/^Your answer could not be used: .*cronlite\/fields\.py/s)
    expect(thorough.asked('patch')).toHaveLength(1)

    const shown = await show(rounds.find(({ submitter }) => submitter === 'careless'))
    expect(shown.patch.prompt).toContain('Write the patch that resolves the issue')
    expect(shown.patch.prompt).toContain('### cronlite/fields.py')
    expect(shown.patch.calls).toHaveLength(2)
    expect(shown.patch.calls[0]).toMatchObject({
      stopReason: 'stop',
      promptTokens: 11,
      completionTokens: 7,
      error: null,
    })
    expect(shown.patch.calls[0]?.text).toContain('`7` must be mapped to `0` when the weekday is read.')
    expect(shown.tests.calls).toHaveLength(1)
  })

  it('shows the estimate before anything is asked', { timeout: 300_000 }, async () => {
    let answer = (): void => {}
    const untilAllowed = new Promise<void>((resolve) => {
      answer = resolve
    })
    const waiting = await kept(
      startAnswerServer('waiting', {
        patch: [
          async (response) => {
            await untilAllowed
            response.destroy()
          },
        ],
        tests: [answering('')],
      }),
    )
    const arena = startArena(argsOf(waiting.address, waiting.address, '--attempts', '1'))
    const said = await arena.waitFor(/waiting-b: 2 to 2 calls/)
    expect(said).toMatch(/waiting-a: 2 to 2 calls/)
    process.kill(arena.pid, 'SIGINT')
    answer()
    expect((await arena.result).stderr).toContain('the same command goes on from here')
  })

  it('sees a patch survive, and a round that nobody can win', { timeout: 300_000 }, async () => {
    const symptom = await serverOf('symptom')
    const breaker = await serverOf('breaker')
    const { rounds } = await play(symptom.address, breaker.address)
    expect(verdictsOf(rounds)).toEqual({
      'symptom against breaker': 'submitter-win',
      'breaker against symptom': 'no-contest breaks-tests not-admitted',
    })
  })

  it('sees tests that do not count', { timeout: 300_000 }, async () => {
    const thorough = await serverOf('thorough')
    const symptom = await serverOf('symptom')
    const { rounds, cells } = await play(thorough.address, symptom.address)
    expect(verdictsOf(rounds)).toEqual({
      'thorough against symptom': 'reviewer-forfeit not-admitted',
      'symptom against thorough': 'reviewer-win',
    })
    // Everything but tests on patches was run for the battles before.
    expect(cells.miss).toBeLessThan(cells.hit)

    const again = await play(thorough.address, symptom.address)
    expect(verdictsOf(again.rounds)).toEqual(verdictsOf(rounds))
    expect(again.cells.miss).toBe(0)
    expect(thorough.asked('patch')).toHaveLength(1)
  })

  it('an endpoint that refuses forfeits both of its roles', { timeout: 300_000 }, async () => {
    const steady = await serverOf('steady')
    const refused = await kept(
      startAnswerServer('refused', {
        patch: [refusing(400, {}, '{"error":{"message":"this model \\u001b[2Jdoes not exist"}}')],
        tests: [refusing(401)],
      }),
    )
    const { rounds, stderr } = await play(steady.address, refused.address)
    expect(verdictsOf(rounds)).toEqual({
      'steady against refused': 'reviewer-forfeit endpoint',
      'refused against steady': 'submitter-forfeit endpoint',
    })
    const shown = await show(rounds[1])
    expect(shown.patch.calls[0]?.error).toBe('http-status: HTTP 400: this model \u001b[2Jdoes not exist')
    // On a terminal a server's words move no cursor.
    const words = 'http-status: HTTP 400: this model \ufffd[2Jdoes not exist'
    expect(stderr).toContain(`warning: refused, asked for patch: ${words}\n`)
    const printed = await runArena(['show', (rounds[1]?.id ?? '').slice(0, 12), '--data', data.path])
    expect(printed.stdout).toContain(words)
    expect(printed.stdout).not.toContain('\u001b')
  })

  it('faults that pass cost an attempt at most, and the key stands nowhere', {
    timeout: 300_000,
  }, async () => {
    const shaky = await kept(
      startAnswerServer('shaky', {
        patch: [
          refusing(500, { 'retry-after': '0' }),
          answering('I would change the parser so that seven is taken for zero.'),
          // A server that repeats what it was sent.
          recorded('steady', TASK, 'patch', `\nYour key is ${KEY}.\n`),
        ],
        tests: [faults.cut, recorded('steady', TASK, 'tests')],
      }),
    )
    const slow = await kept(
      startAnswerServer('slow', {
        patch: [answering(''), recorded('thorough', TASK, 'patch')],
        tests: [slowly('Nothing to test.', 300), recorded('thorough', TASK, 'tests')],
      }),
    )
    const result = await runArena(
      argsOf(shaky.address, slow.address, '--json', '--submitter-key-env', 'PLANTED_KEY'),
      { PLANTED_KEY: KEY },
    )
    expect(result.exitCode, result.stderr).toBe(0)
    const { rounds } = JSON.parse(result.stdout) as BattleAnswer
    expect(verdictsOf(rounds)).toEqual({
      'shaky against slow': 'submitter-win',
      'slow against shaky': 'submitter-win',
    })
    expect(shaky.asked('patch').map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 3 }, () => `Bearer ${KEY}`),
    )
    expect(slow.asked('patch')[0]?.headers.authorization).toBeUndefined()

    const shown = await show(rounds[0])
    expect(shown.patch.calls[1]?.text).toContain('Your key is [secret].')
    expect(JSON.stringify(shown)).not.toContain(KEY)
    expect(result.stdout + result.stderr).not.toContain(KEY)
    const found = execFileSync('sh', ['-c', 'grep -rlaF -- "$0" "$1" || true', KEY, data.path], {
      encoding: 'utf8',
    })
    expect(found).toBe('')
  })

  it('a season calls an endpoint on this machine only when that is allowed', {
    timeout: 300_000,
  }, async () => {
    using folder = temporaryFolder('arena-battle-season')
    const steady = await serverOf('steady')
    const thorough = await serverOf('thorough')
    const competitor = (id: string, { address }: AnswerServer, more: object = {}): string =>
      JSON.stringify({
        id,
        label: id,
        team: id,
        player: { kind: 'endpoint', endpoint: { baseUrl: address.split('#')[0], model: id, ...more } },
      })
    writeFileSync(join(folder.path, 'one.yml'), competitor('one', steady))
    writeFileSync(join(folder.path, 'two.yml'), competitor('two', thorough))
    const season = join(folder.path, 'own.season.yml')
    writeFileSync(
      season,
      JSON.stringify({
        id: 'own',
        title: 'Own',
        tasks: [join(process.cwd(), TASK_FOLDER)],
        competitors: ['endpoint:one.yml', 'endpoint:two.yml'],
        controls: false,
        retrieval: { variant: 'whole-files', budgetTokens: 4000 },
      }),
    )
    const refused = await runArena(['season', season, '--data', data.path])
    expect(refused.exitCode).toBe(2)
    expect(oneLine(refused)).toMatch(/one: endpoint\.baseUrl: .*127\.0\.0\.1.*--allow-loopback/)

    writeFileSync(join(folder.path, 'two.yml'), competitor('two', thorough, { contextTokens: 8192 }))
    const narrow = await runArena(['season', season, '--data', data.path, '--allow-loopback'])
    expect(narrow.exitCode).toBe(2)
    expect(oneLine(narrow)).toMatch(/two: endpoint\.contextTokens: 8192 do not hold the season's 4000 tokens/)
    expect(steady.asked('patch')).toHaveLength(0)

    writeFileSync(join(folder.path, 'two.yml'), competitor('two', thorough))
    const allowed = await runArena(['season', season, '--data', data.path, '--allow-loopback', '--json'])
    expect(allowed.exitCode, allowed.stderr).toBe(0)
    expect(JSON.parse(allowed.stdout)).toMatchObject({ rounds: 2, interrupted: false })
    expect(steady.asked('patch')).toHaveLength(1)
  })
})
