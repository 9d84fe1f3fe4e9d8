import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi, type TestCi } from '../helpers/test-ci.ts'

const all = { legs: 'all' } as const

async function run(
  world: TestCi,
  workflow: string,
  files: Readonly<Record<string, string>>,
  jobs: readonly string[],
) {
  const task = preparedTask(world.folder('task'), { files, workflow, jobs: [...jobs] })
  return (await world.ci.runWorkflow({ task, changes: null, ...all })).legs
}

const GREET = `name: Greet
description: Says who is greeted
inputs:
  who: { description: whom, default: nobody }
outputs:
  said: { description: what, value: '\${{ steps.say.outputs.text }}' }
runs:
  using: composite
  steps:
    - id: say
      shell: bash
      run: |
        echo "text=hello \${{ inputs.who }}" >> "$GITHUB_OUTPUT"
        echo "GREETED=\${{ inputs.who }}" >> "$GITHUB_ENV"
        cat "$GITHUB_ACTION_PATH/note.txt"
    - if: inputs.who == 'nobody'
      shell: bash
      run: exit 3
`

describe('composite actions', () => {
  const files = { '.github/actions/greet/action.yml': GREET, '.github/actions/greet/note.txt': 'a note\n' }
  const workflow = (who: string): string => `on: push
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - id: greet
        uses: ./.github/actions/greet
        with: { who: ${who} }
      - run: test "\${{ steps.greet.outputs.said }} $GREETED \${{ steps.say.outputs.text }}" = "hello you you "
`

  test('their steps run as one: inputs, outputs and variables go in and out, their steps stay inside', async () => {
    await using world = await createTestCi()
    const [leg] = await run(world, workflow('you'), files, ['test'])
    expect(leg?.steps.map((step) => [step.name, step.conclusion])).toEqual([
      ['Run ./.github/actions/greet', 'success'],
      [expect.stringMatching(/^Run test/), 'success'],
    ])
    expect(world.log(leg?.steps[0]?.log)).toBe('a note\n')
  })

  test('a failing step of theirs fails the step that uses them, with its exit code', async () => {
    await using world = await createTestCi()
    const [leg] = await run(world, workflow('nobody'), files, ['test'])
    expect(leg?.status).toBe('failure')
    expect(leg?.steps[0]).toMatchObject({ conclusion: 'failure', exitCode: 3 })
  })

  test('one of another repository runs from its folder, by its own path', async () => {
    await using world = await createTestCi({ actionsFolder: undefined })
    const actions = world.folder('actions')
    mkdirSync(join(actions, 'some/tools@v2/greet'), { recursive: true })
    writeFileSync(join(actions, 'some/tools@v2/greet/action.yml'), GREET)
    writeFileSync(join(actions, 'some/tools@v2/greet/note.txt'), 'from afar\n')
    await using other = await createTestCi({ actionsFolder: actions })
    const text = workflow('you').replace('./.github/actions/greet', 'some/tools/greet@v2')
    const [leg] = await run(other, text, { 'a.txt': '' }, ['test'])
    expect(leg?.status).toBe('success')
    expect(other.log(leg?.steps[0]?.log)).toBe('from afar\n')
    const [alone] = await run(world, text, { 'a.txt': '' }, ['test'])
    expect(alone?.reason).toMatch(/action some\/tools\/greet@v2 has no mapping/)
  })
})

describe('reusable workflows', () => {
  const called = `on:
  workflow_call:
    inputs:
      word: { type: string, required: true }
    outputs:
      answer: { value: '\${{ jobs.second.outputs.answer }}' }
env:
  OWN: inside
jobs:
  first:
    runs-on: ubuntu-latest
    outputs:
      got: \${{ steps.a.outputs.got }}
    steps:
      - id: a
        run: echo "got=\${{ inputs.word }}" >> "$GITHUB_OUTPUT"
  second:
    needs: first
    runs-on: ubuntu-latest
    outputs:
      answer: \${{ steps.b.outputs.answer }}
    steps:
      - id: b
        run: |
          test "$GITHUB_JOB $OWN" = "second inside"
          echo "answer=<\${{ needs.first.outputs.got }}>" >> "$GITHUB_OUTPUT"
`
  const caller = `on: push
env:
  OWN: outside
jobs:
  call:
    uses: ./.github/workflows/called.yml
    with: { word: yes-please }
  after:
    needs: call
    runs-on: ubuntu-latest
    steps:
      - run: test "$OWN \${{ needs.call.result }} \${{ needs.call.outputs.answer }}" = "outside success <yes-please>"
`

  test('their jobs run in the place of the job that calls them, and give it their outputs', async () => {
    await using world = await createTestCi()
    const legs = await run(world, caller, { '.github/workflows/called.yml': called }, ['after'])
    expect(legs.map((leg) => [leg.leg, leg.job, leg.status])).toEqual([
      ['call / first', 'call/first', 'success'],
      ['call / second', 'call/second', 'success'],
      ['after', 'after', 'success'],
    ])
  })

  test('a job of theirs that fails fails the job that calls them', async () => {
    await using world = await createTestCi()
    const text = called.replace('test "$GITHUB_JOB', 'test "not $GITHUB_JOB')
    const legs = await run(world, caller, { '.github/workflows/called.yml': text }, ['after'])
    expect(legs.map((leg) => leg.status)).toEqual(['success', 'failure', 'skipped'])
  })
})
