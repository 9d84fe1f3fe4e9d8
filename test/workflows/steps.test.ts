import { describe, expect, test } from 'vitest'
import { job, plan } from './helpers.ts'

const stepsOf = (text: string) => plan(text).legs[0]?.steps ?? []
const scripts = (steps: string, head = '') => stepsOf(job(head, steps)).map((step) => step.script)

describe('steps', () => {
  test('a step without a name is called by the first line of its script or by its action', () => {
    const steps = stepsOf(
      job('', '- run: |\n    make\n    make test\n- uses: actions/checkout@v4\n- name: Mine\n  run: x'),
    )
    expect(steps.map((step) => step.name)).toEqual(['Run make', 'Run actions/checkout@v4', 'Mine'])
  })

  test('expressions within text are joined with it', () => {
    expect(scripts(`- run: a-\${{ matrix.v }}-b`, 'strategy:\n  matrix:\n    v: [1]')).toEqual(['a-1-b'])
  })

  test('the step’s env goes before the job’s, the job’s before the workflow’s, in the env context', () => {
    const text = job(
      'env:\n  A: job\n  B: job',
      `- env:\n    A: step\n  run: \${{ env.A }} \${{ env.B }} \${{ env.C }}`,
    ).replace('jobs:', 'env:\n  A: workflow\n  B: workflow\n  C: workflow\njobs:')
    expect(stepsOf(text)[0]?.script).toBe('step job workflow')
  })

  test('the matrix reaches env of the job', () => {
    const text = job(`env:\n  V: v\${{ matrix.v }}\nstrategy:\n  matrix:\n    v: [2]`, `- run: \${{ env.V }}`)
    expect(stepsOf(text)[0]?.script).toBe('v2')
  })

  test('a secret is empty', () => {
    expect(scripts(`- run: "[\${{ secrets.TOKEN }}]"`)).toEqual(['[]'])
  })

  test('what is unknown in a context is empty', () => {
    expect(scripts(`- run: "[\${{ matrix.none }}\${{ github.event.pull_request.number }}]"`)).toEqual(['[]'])
  })

  test('a step whose if is false is skipped; one that asks for a failure waits for none', () => {
    const steps = stepsOf(
      job(
        'strategy:\n  matrix:\n    os: [linux]',
        "- if: matrix.os == 'mac'\n  run: a\n- if: failure()\n  run: b\n- if: always()\n  run: c",
      ),
    )
    expect(steps.map((step) => step.status)).toEqual(['skipped', 'skipped', 'planned'])
    expect(steps[0]?.reason).toBe(
      ".github/workflows/ci.yml:9: if is false: success() && (matrix.os == 'mac')",
    )
  })

  test('an if that looks at steps, the job, files or variables is decided later', () => {
    const steps = stepsOf(
      job(
        '',
        "- if: steps.a.outputs.x == 'y'\n  run: a\n- if: env.X == 'y'\n  run: b\n- if: hashFiles('x') != ''\n  run: c\n- if: job.status == 'success'\n  run: d",
      ),
    )
    expect(steps.map((step) => step.status)).toEqual(Array(4).fill('decided-later'))
  })

  test('what only a run knows stands as written', () => {
    expect(scripts(`- run: echo \${{ steps.a.outputs.b }}`)).toEqual([`echo \${{ steps.a.outputs.b }}`])
    expect(scripts(`- run: echo \${{ fromJSON(env.LIST)[0] }}`)).toEqual([
      `echo \${{ fromJSON(env.LIST)[0] }}`,
    ])
  })

  test('continue-on-error and timeouts of a job may come from the matrix', () => {
    const head = `continue-on-error: \${{ matrix.shaky }}
timeout-minutes: \${{ matrix.minutes }}
strategy:
  matrix:
    include:
      - { shaky: true, minutes: 5 }
      - { shaky: false, minutes: 10 }`
    expect(plan(job(head)).legs.map((leg) => [leg.continueOnError, leg.timeoutMs])).toEqual([
      [true, 300_000],
      [false, 600_000],
    ])
  })

  test('without timeout-minutes a job has six hours', () => {
    expect(plan(job('')).legs[0]?.timeoutMs).toBe(6 * 60 * 60 * 1000)
  })

  test('a step that installs packages of the system is unsupported, not a failure of the code', () => {
    const reason = (run: string) => plan(job('', `- run: ${run}`)).legs[0]?.reason
    expect(reason('sudo apt-get update && sudo apt-get install -y ninja-build')).toBe(
      '.github/workflows/ci.yml:7: apt-get installs packages, which needs root and the network',
    )
    expect(reason('echo apt-get install')).toBeNull()
  })

  test('PowerShell is not at hand, and a shell must be known or hold {0}', () => {
    const reason = (shell: string) => plan(job('', `- run: x\n  shell: ${shell}`)).legs[0]?.reason
    expect(reason('pwsh')).toBe('.github/workflows/ci.yml:7: shell pwsh is not at hand')
    expect(reason('fish')).toContain("unknown shell 'fish'")
    expect(reason('perl {0}')).toBeNull()
    expect(plan(job('defaults:\n  run:\n    shell: pwsh')).legs[0]?.status).toBe('unsupported')
  })
})

describe('broken workflow files', () => {
  test('an unknown key names file, line and the key that was meant', () => {
    expect(() => plan(job('').replace('steps:', 'step:'))).toThrow(
      ".github/workflows/ci.yml:6: unknown key or value 'step'; did you mean 'steps'?",
    )
  })

  test('broken YAML names file and line', () => {
    expect(() => plan('on: push\njobs:\n  a: [\n')).toThrow(/^\.github\/workflows\/ci\.yml:\d+: /)
  })

  test('an expression that does not parse is an error at its line', () => {
    expect(() => plan(job('', `- run: echo \${{ matrix. }}`))).toThrow(/ci\.yml:7: /)
  })

  test('an unknown context or function is an error', () => {
    expect(() => plan(job('', `- run: echo \${{ nothing.a }}`))).toThrow(
      /Unrecognized named-value: 'nothing'/,
    )
    expect(() => plan(job('', `- run: echo \${{ nothing(1) }}`))).toThrow(/Unrecognized function: 'nothing'/)
  })

  test('an if with an unknown function is an error at its line', () => {
    expect(() => plan(job('', '- run: a\n  if: foo('))).toThrow(/ci\.yml:8: /)
  })

  test('an if that will be decided later is checked now', () => {
    expect(() => plan(job('', '- run: a\n  if: steps.a.outputs.x == nothing('))).toThrow(/ci\.yml:8: /)
  })

  test('a context that is not allowed in a job’s if is an error', () => {
    expect(() => plan(job("if: matrix.v == '1'\nstrategy:\n  matrix:\n    v: [1]"))).toThrow(
      /ci\.yml:5: Unrecognized named-value: 'matrix'/,
    )
  })

  test('a file without jobs is no workflow', () => {
    expect(() => plan('name: x\n')).toThrow(/\.github\/workflows\/ci\.yml/)
  })
})
