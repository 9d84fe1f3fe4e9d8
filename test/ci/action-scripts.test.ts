import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { preparedTask } from '../helpers/prepared-task.ts'
import { createTestCi } from '../helpers/test-ci.ts'

/** Tools that only tell how they were called, one argument a line. */
const bin = mkdtempSync(join(tmpdir(), 'told-'))
afterAll(() => rmSync(bin, { recursive: true, force: true }))
mkdirSync(bin, { recursive: true })
for (const name of ['golangci-lint', 'cmake']) {
  writeFileSync(
    join(bin, name),
    `#!/bin/sh\necho "${name} in \${PWD##*/}"\nprintf '<%s>\\n' "$@"\n[ "$2" != --fail ]\n`,
  )
  chmodSync(join(bin, name), 0o755)
}

const tool = (name: string) => ({ version: '2.1.0', path: join(bin, name) })
const toolchains = {
  binds: [],
  path: [bin],
  env: {},
  tools: { 'golangci-lint': tool('golangci-lint'), cmake: tool('cmake'), pwsh: tool('pwsh') },
  digest: 'told',
}

async function firstStep(step: string) {
  await using world = await createTestCi({ toolchains })
  const workflow = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n${step.replace(/^/gm, '      ')}\n`
  const task = preparedTask(world.folder('task'), { files: { 'sub/a.txt': '' }, workflow, jobs: ['a'] })
  const { legs } = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
  const [first] = legs[0]?.steps ?? []
  return { conclusion: first?.conclusion, notes: first?.notes, log: world.log(first?.log).trim().split('\n') }
}

describe('actions that a script stands in for', () => {
  test('golangci-lint runs with its arguments, in its folder; what it finds fails the step', async () => {
    const step = (args: string): string =>
      `- uses: golangci/golangci-lint-action@v8\n  with: { args: ${args}, working-directory: sub }`
    expect(await firstStep(step('--timeout 5m'))).toEqual({
      conclusion: 'success',
      notes: ['golangci-lint 2.1.0 is at hand'],
      log: ['golangci-lint in sub', '<run>', '<--timeout>', '<5m>'],
    })
    expect((await firstStep(step('--fail'))).conclusion).toBe('failure')
  })

  test('CMake is called as the inputs say, and builds unless told otherwise', async () => {
    const step = `- uses: threeal/cmake-action@v2
  with:
    source-dir: sub
    build-dir: out
    generator: Ninja
    cxx-compiler: g++
    options: |
      A=1 B="two words"
      C=3`
    const { log } = await firstStep(step)
    expect(log.filter((line) => line.startsWith('<')).join('')).toBe(
      '<sub><-B><out><-G><Ninja><-DCMAKE_CXX_COMPILER=g++><-DA=1><-DB=two words><-DC=3><--build><out>',
    )
    expect((await firstStep(`${step}\n    run-build: false`)).log).not.toContain('<--build>')
  })
})

describe('PowerShell', () => {
  test('is called as GitHub calls it, where it is at hand', async () => {
    const stub = join(bin, 'pwsh')
    writeFileSync(stub, '#!/bin/sh\nprintf "<%s>" "$1"\neval "cat $(echo "$2" | sed "s/^. //")"\n')
    chmodSync(stub, 0o755)
    const { log, conclusion } = await firstStep('- { run: Get-Item a, shell: pwsh }')
    expect(conclusion).toBe('success')
    expect(log).toEqual([
      "<-command>$ErrorActionPreference = 'stop'",
      'Get-Item a',
      'if ((Test-Path -LiteralPath variable:\\LASTEXITCODE)) { exit $LASTEXITCODE }',
    ])
  })
})

describe('JavaScript actions', () => {
  const ACTION = `name: Hello
description: says hello
inputs:
  who to greet: { description: whom, default: nobody }
outputs:
  said: { description: what }
runs:
  using: node20
  main: dist/index.js
  post: dist/post.js
`
  const MAIN = `import { appendFileSync } from 'node:fs'
const who = process.env['INPUT_WHO_TO_GREET']
console.log('hello', who)
appendFileSync(process.env.GITHUB_OUTPUT, \`said=hello \${who}\\n\`)
if (who === 'trouble') process.exitCode = 4
`
  const files = {
    'hello/action.yml': ACTION,
    'hello/dist/index.js': MAIN,
    'hello/package.json': '{ "type": "module" }',
  }
  const run = async (who: string, javascript: boolean) => {
    const node = { version: process.versions.node, path: process.execPath }
    await using world = await createTestCi({
      javascript,
      toolchains: { ...toolchains, path: [dirname(process.execPath)], tools: { node } },
    })
    const workflow = `on: push
jobs:
  a:
    runs-on: ubuntu-latest
    steps:
      - { id: hello, uses: ./hello, with: { ${who} } }
      - run: test "\${{ steps.hello.outputs.said }}" = "hello you"
`
    const task = preparedTask(world.folder('task'), { files, workflow, jobs: ['a'] })
    const { legs } = await world.ci.runWorkflow({ task, changes: null, legs: 'all' })
    return legs[0]
  }

  test('run from their source when that is asked for, with their inputs; what they say is read', async () => {
    const leg = await run('who to greet: you', true)
    expect(leg?.status).toBe('success')
    expect(leg?.steps[0]?.notes).toEqual(['what it does at the end of the job was not run'])
    expect((await run('', true))?.status).toBe('failure')
    expect((await run('who to greet: trouble', true))?.steps[0]).toMatchObject({
      conclusion: 'failure',
      exitCode: 4,
    })
  })

  test('are unsupported otherwise', async () => {
    expect(await run('', false)).toMatchObject({
      status: 'unsupported',
      reason: expect.stringContaining('JavaScript actions are off'),
    })
  })
})
