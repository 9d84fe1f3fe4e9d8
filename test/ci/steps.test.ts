import { spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { preparedTask } from '../helpers/prepared-task.ts'
import { needs } from '../helpers/require.ts'
import { createTestCi, type TestCi } from '../helpers/test-ci.ts'

const INDENT = '      '

/** Runs the steps of one job on an otherwise empty repository. */
async function runSteps(world: TestCi, steps: string, head = '') {
  const workflow = `on: push
env:
  FROM_WORKFLOW: w
  LEVEL: workflow
jobs:
  test:
    runs-on: ubuntu-latest
${head}
    steps:
${steps.replace(/^/gm, INDENT)}
`
  const task = preparedTask(world.folder('task'), {
    files: { 'sub/file.txt': 'x\n', 'readme.md': 'hello\n' },
    workflow,
    jobs: ['test'],
    env: { FROM_TASK: 't' },
  })
  const run = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
  const leg = run.legs[0]
  if (!leg) throw new Error('no leg')
  return { leg, logs: leg.steps.map((step) => world.log(step.log)) }
}

const hasPython = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0

describe('shells', () => {
  test('the default bash stops at the first failing command, but not inside a pipe', async () => {
    await using world = await createTestCi()
    const { leg, logs } = await runSteps(
      world,
      '- run: |\n    false | true\n    echo reached\n    false\n    echo not reached',
    )
    expect(leg.status).toBe('failure')
    expect(logs[0]).toBe('reached\n')
  })

  test('a named bash has pipefail', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(world, '- shell: bash\n  run: false | true')
    expect(leg.status).toBe('failure')
  })

  test.skipIf(needs('python3', hasPython))(
    'sh, python and a custom command line run their script',
    async () => {
      await using world = await createTestCi()
      const { leg, logs } = await runSteps(
        world,
        `- shell: sh
  run: 'test -z "$BASH_VERSION" && echo sh'
- shell: python3 {0}
  run: print(1 + 1)
- shell: bash -c "cat {0}"
  run: shown`,
      )
      expect(leg.status).toBe('success')
      expect(logs).toEqual(['sh\n', '2\n', 'shown\n'])
    },
  )

  test('defaults.run of the job goes before that of the workflow, and the step before both', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      '- run: ls\n- working-directory: .\n  run: ls readme.md',
      '    defaults:\n      run:\n        working-directory: sub',
    )
    expect(logs).toEqual(['file.txt\n', 'readme.md\n'])
  })

  test('a working directory that is missing fails the step', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(world, '- working-directory: nowhere\n  run: echo hello')
    expect(leg.status).toBe('failure')
    expect(leg.infra).toBeNull()
  })
})

describe('environment', () => {
  test('the step goes before the job, the job before the workflow, the workflow before the task', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      `- env:
    LEVEL: step
  run: echo $LEVEL $FROM_WORKFLOW $FROM_JOB $FROM_TASK $\{{ env.LEVEL }}
- run: echo $LEVEL`,
      '    env:\n      LEVEL: job\n      FROM_JOB: j',
    )
    expect(logs).toEqual(['step w j t step\n', 'job\n'])
  })

  test('GITHUB_ENV reaches later steps, with blocks of many lines, but never changes the runner’s own variables', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      `- run: |
    {
      echo ONE=1
      echo 'TEXT<<END'
      echo first
      echo second=x
      echo END
      echo GITHUB_SHA=forged
    } >> "$GITHUB_ENV"
- run: |
    echo "$ONE $TEXT"
    test "$GITHUB_SHA" != forged
- run: echo "$\{{ env.ONE }}"`,
    )
    expect(logs[1]).toBe('1 first\nsecond=x\n')
    expect(logs[2]).toBe('1\n')
  })

  test('GITHUB_PATH puts a folder first on the path of later steps', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      `- run: |
    mkdir -p tools
    printf '#!/bin/sh\\necho mine\\n' > tools/mine
    chmod +x tools/mine
    echo "$GITHUB_WORKSPACE/tools" >> "$GITHUB_PATH"
- run: mine`,
    )
    expect(logs[1]).toBe('mine\n')
  })

  test('outputs are there under steps.ID.outputs, those of many lines too', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      `- id: make
  run: |
    echo "word=hello" >> "$GITHUB_OUTPUT"
    printf 'text<<E\\na\\nb\\nE\\n' >> "$GITHUB_OUTPUT"
- run: |
    echo "$\{{ steps.make.outputs.word }} $\{{ steps.make.outcome }}"
    echo "$\{{ steps.make.outputs.text }}"`,
    )
    expect(logs[1]).toBe('hello success\na\nb\n')
  })

  test('a malformed command file fails its step with the reason', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(world, '- run: echo no-equals-sign >> "$GITHUB_ENV"')
    expect(leg.status).toBe('failure')
    expect(leg.steps[0]?.notes[0]).toContain("invalid format 'no-equals-sign'")
  })

  test('CI and the GITHUB_ variables are there, and no token', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      `- run: |
    echo "$CI $GITHUB_ACTIONS $GITHUB_EVENT_NAME $GITHUB_REPOSITORY $GITHUB_JOB $GITHUB_REF $RUNNER_OS"
    test "$PWD" = "$GITHUB_WORKSPACE"
    test -d "$RUNNER_TEMP"
    echo "token:$\{{ secrets.GITHUB_TOKEN }}$\{{ github.token }}:$GITHUB_TOKEN"`,
    )
    expect(logs[0]).toBe('true true push example/demo test refs/heads/main Linux\ntoken::\n')
  })

  test('nothing of this process’s environment gets in', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(world, '- run: env | cut -d= -f1')
    expect(logs[0]).not.toMatch(/VITEST|npm_|NODE/)
  })
})

describe('the course of a job', () => {
  test('after a failure only always() and failure() steps run', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(
      world,
      `- run: exit 7
- run: echo plain
- if: failure()
  run: echo failure
- if: always()
  run: echo always
- if: success()
  run: echo success
- if: cancelled()
  run: echo cancelled`,
    )
    expect(leg.steps.map((step) => step.conclusion)).toEqual([
      'failure',
      'skipped',
      'success',
      'success',
      'skipped',
      'skipped',
    ])
    expect(leg.steps[0]?.exitCode).toBe(7)
  })

  test('continue-on-error: the outcome is failure, the conclusion success, and the job goes on', async () => {
    await using world = await createTestCi()
    const { leg, logs } = await runSteps(
      world,
      `- id: shaky
  continue-on-error: true
  run: exit 1
- run: echo $\{{ steps.shaky.outcome }} $\{{ steps.shaky.conclusion }}`,
    )
    expect(leg.status).toBe('success')
    expect(leg.steps[0]).toMatchObject({ outcome: 'failure', conclusion: 'success' })
    expect(logs[1]).toBe('failure success\n')
  })

  test('a step over its time is timed out, and so is its leg', async () => {
    await using world = await createTestCi({ timeouts: { stepMs: 300, buildMs: 300, caseMs: 300 } })
    const { leg } = await runSteps(world, '- run: sleep 30\n- run: echo later')
    expect(leg.status).toBe('timed_out')
    expect(leg.steps.map((step) => step.conclusion)).toEqual(['timed_out', 'skipped'])
  })

  test('an if that looks at outputs is decided when the step starts', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(
      world,
      `- id: choose
  run: echo go=yes >> "$GITHUB_OUTPUT"
- if: steps.choose.outputs.go == 'yes'
  run: echo chosen
- if: steps.choose.outputs.go == 'no'
  run: echo not chosen`,
    )
    expect(leg.steps.map((step) => step.conclusion)).toEqual(['success', 'success', 'skipped'])
  })

  test('an expression that cannot be evaluated fails its step, not the arena', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(
      world,
      `- id: make
  run: echo 'data={broken' >> "$GITHUB_OUTPUT"
- run: echo $\{{ fromJSON(steps.make.outputs.data).x }}`,
    )
    expect(leg.status).toBe('failure')
    expect(leg.steps[1]?.notes[0]).toContain('.github/workflows/ci.yml:')
  })

  test('an action that only a failure reaches cannot make a failed leg unsupported', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(world, '- run: exit 1\n- if: failure()\n  uses: someone/notify@v1')
    expect(leg.status).toBe('failure')
    expect(leg.steps[1]?.conclusion).toBe('unsupported')
  })

  test('hashFiles sees the tree', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      `- run: echo "$\{{ hashFiles('**/*.txt') }}|$\{{ hashFiles('nothing/*') }}"`,
    )
    expect(logs[0]).toMatch(/^[0-9a-f]{64}\|\n$/)
  })
})

describe('logs', () => {
  test('masked values are stars in this step’s log and in later ones', async () => {
    await using world = await createTestCi()
    const { logs } = await runSteps(
      world,
      '- run: |\n    echo "::add-mask::hunter2"\n    echo hunter2\n- run: echo again hunter2',
    )
    expect(logs.join('')).not.toContain('hunter2')
    expect(logs[1]).toBe('again ***\n')
  })

  test('annotations are kept with file and line', async () => {
    await using world = await createTestCi()
    const { leg } = await runSteps(world, '- run: echo "::error file=a.py,line=3::wrong%0Amore"')
    expect(leg.status).toBe('success')
    expect(leg.steps[0]?.notes).toEqual(['error: a.py:3: wrong\nmore'])
  })

  test('bytes that are no UTF-8 are replaced and change nothing', async () => {
    await using world = await createTestCi()
    const { leg, logs } = await runSteps(world, "- run: printf '\\342\\050 end\\n'")
    expect(leg.status).toBe('success')
    expect(logs[0]).toContain('( end')
  })
})

describe('hostile steps', () => {
  test('a command file that became a link is not followed', async () => {
    await using world = await createTestCi()
    await mkdir(world.folder('outside'))
    await writeFile(world.folder('outside/secret'), 'LEAK=yes\n')
    await symlink(world.folder('outside/secret'), world.folder('outside/link'))
    const target = world.folder('outside/secret')
    const { leg, logs } = await runSteps(
      world,
      `- run: rm "$GITHUB_ENV" && ln -s ${target} "$GITHUB_ENV"\n- run: echo "[$LEAK]"`,
    )
    expect(leg.status).toBe('success')
    expect(logs[1]).toBe('[]\n')
  })

  test('a command file that is a pipe or far too long is not read', async () => {
    await using world = await createTestCi()
    const { leg, logs } = await runSteps(
      world,
      `- run: rm "$GITHUB_OUTPUT" && mkfifo "$GITHUB_OUTPUT"
- run: head -c 3000000 /dev/zero | tr '\\0' a >> "$GITHUB_ENV"
- run: echo alive`,
    )
    expect(leg.status).toBe('success')
    expect(logs[2]).toBe('alive\n')
  })
})
