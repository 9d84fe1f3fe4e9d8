import { describe, expect, test } from 'vitest'
import { satisfies } from '../../workflows/actions/version-spec.ts'
import { type Given, job, plan } from './helpers.ts'

/** The reason of the leg when it is unsupported, else the notes of its first step. */
function ask(step: string, given: Given = {}): string {
  const leg = plan(job('', step), given).legs[0]
  return leg?.status === 'unsupported' ? `unsupported ${leg.reason}` : (leg?.steps[0]?.notes.join('; ') ?? '')
}

const uses = (action: string, inputs = ''): string =>
  `- uses: ${action}${inputs ? `\n  with:\n    ${inputs}` : ''}`

describe('action mappings', () => {
  test('an action without a mapping makes its leg unsupported, never a silent success', () => {
    expect(ask(uses('someone/thing@v1'))).toBe(
      'unsupported .github/workflows/ci.yml:7: action someone/thing@v1 has no mapping',
    )
    expect(ask(uses('./.github/actions/x'))).toContain('local action ./.github/actions/x is not in the tree')
    expect(ask(uses('docker://alpine:3'))).toContain('container action')
  })

  test('inputs that only a run knows are decided later, but an action without a mapping never is', () => {
    const inputs = `key: \${{ hashFiles('x') }}`
    const steps = plan(job('', uses('actions/cache@v4', inputs))).legs[0]?.steps
    expect(steps?.[0]?.status).toBe('decided-later')
    expect(ask(uses('someone/thing@v1', inputs))).toContain('has no mapping')
  })

  test('an unsupported action behind a false if does no harm', () => {
    const step = "- if: runner.os == 'Windows'\n  uses: someone/thing@v1"
    expect(plan(job('', step)).legs[0]?.status).toBe('planned')
  })

  test('checkout: the tree stands already; another repository needs the network', () => {
    expect(ask(uses('actions/checkout@v4'))).toContain('the tree stands in the workspace')
    expect(ask(uses('actions/checkout@v4', 'fetch-depth: 0'))).toContain('the tree stands')
    expect(ask(uses('taiki-e/checkout-action@v1'))).toContain('the tree stands in the workspace')
    expect(ask(uses('actions/checkout@v4', 'repository: a/b'))).toContain('unsupported')
    expect(ask(uses('actions/checkout@v4', 'ref: v1.0'))).toContain('unsupported')
    expect(ask(uses('actions/checkout@v4', `ref: \${{ github.head_ref || github.ref }}`))).toContain(
      'the tree stands',
    )
    const step = uses('actions/checkout@v4', 'submodules: true')
    expect(ask(step)).toContain('the tree stands')
    expect(ask(step, { files: { '.gitmodules': '' } })).toContain('unsupported')
  })

  test('an action that does nothing on Linux is passed, and said', () => {
    expect(ask(uses('ilammy/msvc-dev-cmd@v1', 'arch: x64'))).toBe('ilammy/msvc-dev-cmd does nothing on Linux')
  })

  test('setup-python: a version that is not at hand is named with the one that is', () => {
    const python = (range: string) => ask(uses('actions/setup-python@v5', `python-version: '${range}'`))
    expect(python('3.9')).toBe(
      'unsupported .github/workflows/ci.yml:7: python 3.9 not found; 3.11.2 is at hand',
    )
    expect(python('3.x')).toBe('python 3.11.2 is at hand')
    expect(python('3.11')).toBe('python 3.11.2 is at hand')
    expect(python('>=3.9 <3.12')).toBe('python 3.11.2 is at hand')
    expect(python('pypy3.9')).toContain('unsupported')
    expect(ask(uses('actions/setup-python@v5'))).toBe('python 3.11.2 is at hand')
  })

  test('setup-python reads a version file', () => {
    const step = uses('actions/setup-python@v5', 'python-version-file: pyproject.toml')
    const files = { 'pyproject.toml': '[project]\nrequires-python = ">=3.9"\n' }
    expect(ask(step, { files })).toBe('python 3.11.2 is at hand')
    expect(ask(step)).toContain('pyproject.toml is not in the tree')
    const old = { '.python-version': '3.8\n' }
    expect(ask(uses('actions/setup-python@v5'), { files: old })).toContain('python 3.8 not found')
  })

  test('with substitution the version at hand is taken, and said', () => {
    const step = uses('actions/setup-python@v5', "python-version: '3.9'")
    expect(ask(step, { substitute: true })).toBe('substituted: python 3.9 not found; 3.11.2 is at hand')
    expect(ask(step, { substitute: true, tools: {} })).toContain('unsupported')
  })

  test('legs of a matrix are asked one by one', () => {
    const step = uses('actions/setup-python@v5', `python-version: \${{ matrix.v }}`)
    const legs = plan(job("strategy:\n  matrix:\n    v: ['3.9', '3.11']", step)).legs
    expect(legs.map((leg) => leg.status)).toEqual(['unsupported', 'planned'])
  })

  test('setup-go: stable is the one at hand, go.mod states the least', () => {
    expect(ask(uses('actions/setup-go@v5', 'go-version: stable'))).toBe('go 1.22.5 is at hand')
    expect(ask(uses('actions/setup-go@v5', "go-version: '1.21'"))).toContain('go 1.21 not found')
    const file = uses('actions/setup-go@v5', 'go-version-file: go.mod')
    expect(ask(file, { files: { 'go.mod': 'module x\n\ngo 1.19\n' } })).toBe('go 1.22.5 is at hand')
    expect(ask(file, { files: { 'go.mod': 'module x\n\ngo 1.30.1\n' } })).toContain('go >=1.30.1 not found')
  })

  test('rust-toolchain: the reference names the toolchain; nightly is not at hand', () => {
    expect(ask(uses('dtolnay/rust-toolchain@stable'))).toBe('rust 1.95.0 is at hand')
    expect(ask(uses('dtolnay/rust-toolchain@nightly'))).toContain('rust nightly not found; 1.95.0 is at hand')
    expect(ask(uses('dtolnay/rust-toolchain@1.70.0'))).toContain('rust 1.70.0 not found')
    expect(ask(uses('dtolnay/rust-toolchain@clippy'))).toBe(
      'rust 1.95.0 is at hand; component clippy: only if the toolchain at hand has it',
    )
    expect(ask(uses('dtolnay/rust-toolchain@miri'))).toContain('rust nightly not found')
    expect(ask(uses('dtolnay/rust-toolchain@master', 'toolchain: stable'))).toBe('rust 1.95.0 is at hand')
    expect(ask(uses('actions-rs/toolchain@v1', 'toolchain: stable'))).toBe('rust 1.95.0 is at hand')
    expect(ask(uses('dtolnay/rust-toolchain@stable', 'targets: wasm32-wasi'))).toContain('not at hand')
  })

  test('get-cmake, caches, artifacts and reports', () => {
    expect(ask(uses('lukka/get-cmake@latest'))).toBe('cmake 3.25.1 is at hand')
    expect(ask(uses('lukka/get-cmake@latest', 'cmakeVersion: 4.0.0'))).toContain('cmake 4.0.0 not found')
    expect(ask(uses('actions/cache@v4', 'path: x'))).toContain('kept as long as the run')
    expect(ask(uses('Swatinem/rust-cache@v2'))).toContain('kept by the warm phase')
    expect(ask(uses('actions/upload-artifact@v4', 'path: x'))).toContain('the jobs that need this one')
    expect(ask(uses('actions/download-artifact@v4', 'name: x'))).toContain('the jobs that this one needs')
    expect(ask(uses('codecov/codecov-action@v4'))).toContain('nothing is uploaded')
    expect(ask(uses('coverallsapp/github-action@v2'))).toContain('nothing is uploaded')
  })

  test('setup-uv: the uv at hand, else the index’s, fetched in the warm phase; the Python asked for must be at hand', () => {
    const uv = (inputs: string, given: Given) => ask(uses('astral-sh/setup-uv@v6', inputs), given)
    const tools = { uv: '0.8.4', python: '3.11.2' }
    expect(uv('version: 0.8.x', { tools })).toBe('uv 0.8.4 is at hand')
    expect(uv('version: 0.9.0', { tools })).toContain('uv 0.9.0 not found, and no network to fetch it')
    expect(uv('version: 0.9.0', { tools, fetches: true })).toBe('uv 0.9.0 is fetched in the warm phase')
    expect(uv("python-version: '3.9'", { tools })).toContain('python 3.9 not found')
    expect(uv("python-version: '3.11'", { tools })).toBe('python 3.11.2 is at hand; uv 0.8.4 is at hand')
    expect(uv("python-version: '3.9'", { tools, substitute: true })).toContain(
      'substituted: python 3.9 not found',
    )
  })

  test('what is fetched has the class of the warm phase', () => {
    const step = uses('taiki-e/install-action@v2', 'tool: nextest@0.9.100,cargo-hack')
    const [planned] = plan(job('', step), { fetches: true }).legs[0]?.steps ?? []
    expect(planned).toMatchObject({
      class: 'warm',
      notes: ['nextest, cargo-hack is fetched in the warm phase'],
    })
    expect(ask(step)).toContain('unsupported')
    expect(ask(uses('taiki-e/install-action@cargo-hack'), { tools: { 'cargo-hack': '1.0.0' } })).toBe(
      'cargo-hack at hand',
    )
    expect(ask(uses('taiki-e/install-action@v2', 'tool: protoc'), { fetches: true })).toContain(
      'protoc not found, and no crate of that name is known',
    )
  })

  test('alls-green asks the needed jobs; a skip or a failure must be allowed by name', () => {
    const notes = (jobs: Record<string, string>, inputs = '') => {
      const json = JSON.stringify(
        Object.fromEntries(Object.entries(jobs).map(([job, result]) => [job, { result }])),
      )
      const step = uses('re-actors/alls-green@release/v1', `jobs: '${json}'${inputs}`)
      const [planned] = plan(job('', step)).legs[0]?.steps ?? []
      return planned?.notes.join()
    }
    expect(notes({ a: 'success', b: 'success' })).toBe('all jobs ended well')
    expect(notes({ a: 'failure', b: 'skipped', c: 'success' })).toBe('a: failure, b: skipped')
    expect(notes({ a: 'failure', b: 'skipped' }, '\n    allowed-skips: b')).toBe('a: failure')
    expect(notes({ a: 'failure', b: 'skipped' }, '\n    allowed-failures: b, a')).toBe('b: skipped')
    expect(ask(uses('re-actors/alls-green@release/v1'))).toContain('unsupported')
  })

  test('golangci-lint runs when it is at hand, and only then', () => {
    const step = uses('golangci/golangci-lint-action@v8', 'args: --timeout 5m')
    expect(ask(step, { tools: { 'golangci-lint': '2.1.0' } })).toBe('golangci-lint 2.1.0 is at hand')
    expect(ask(step, { fetches: true })).toContain('golangci-lint not found')
  })
})

describe('version ranges', () => {
  test.each([
    ['3.11.2', '3', true],
    ['3.11.2', '3.11', true],
    ['3.11.2', '3.1', false],
    ['3.11.2', '3.11.x', true],
    ['3.11.2', '*', true],
    ['3.11.2', '', true],
    ['3.11.2', '^3.9', true],
    ['3.11.2', '^3.12', false],
    ['3.11.2', '~3.11.1', true],
    ['3.11.2', '~3.10', false],
    ['3.11.2', '>= 3.9', true],
    ['3.11.2', '>3.11', false],
    ['3.11.2', '<3.11.3', true],
    ['3.11.2', '3.8 - 3.12', true],
    ['3.11.2', '2.7 || 3.11', true],
    ['3.11.2', '>=3.9,<3.11', false],
    ['3.11.2', '3.14-dev', false],
    ['1.95.0', 'nightly', false],
    ['0.4.2', '^0.4.1', true],
    ['0.5.0', '^0.4.1', false],
  ])('%s in %s: %s', (version, range, expected) => {
    expect(satisfies(version, range)).toBe(expected)
  })
})
