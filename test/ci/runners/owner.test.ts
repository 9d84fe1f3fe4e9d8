import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findControllers } from '../../../src/ci/runners/cgroup-places.ts'
import { isLeftover, tagOf } from '../../../src/ci/runners/owner.ts'
import { InputError } from '../../../src/errors.ts'

describe('tags', () => {
  const own = tagOf('leg-1')
  const change = (field: number, value: string): string =>
    own
      .split('-')
      .map((part, index) => (index === field ? value : part))
      .join('-')

  it('of a living process are never taken for leftovers', () => expect(isLeftover(own)).toBe(false))

  it('of a dead process, an earlier one with the same id or an earlier boot are leftovers', () => {
    expect(isLeftover(change(4, '4194304'))).toBe(true)
    expect(isLeftover(change(5, '1'))).toBe(true)
    expect(isLeftover(change(2, '00000000'))).toBe(true)
  })

  it('of another machine or process namespace are left alone', () => {
    expect(isLeftover(change(1, '000000'))).toBe(false)
    expect(isLeftover(change(3, '1'))).toBe(false)
  })

  it('are nothing else: other names are left alone, odd ids refused', () => {
    for (const name of ['arena', 'arena-x', 'docker', `x${own}`, `${own}/x`])
      expect(isLeftover(name)).toBe(false)
    for (const id of ['', '-a', 'a/b', '..', 'a b', 'x'.repeat(101)])
      expect(() => tagOf(id)).toThrow(InputError)
  })
})

describe('control group hierarchies', () => {
  const line = (root: string, rest: string): string => `30 20 0:26 / ${root} rw,relatime shared:9 - ${rest}`

  it('of version 1 are found by controller, mounted together or apart', () => {
    const found = findControllers(
      [
        line('/sys/fs/cgroup/memory', 'cgroup cgroup rw,memory'),
        line('/sys/fs/cgroup/cpu,cpuacct', 'cgroup cgroup rw,cpu,cpuacct'),
        line('/sys/fs/cgroup/pids', 'cgroup cgroup rw,pids'),
        line('/sys/fs/cgroup/unified', 'cgroup2 cgroup2 rw'),
      ].join('\n'),
    )
    expect(Object.fromEntries(found)).toEqual({
      memory: { version: 1, root: '/sys/fs/cgroup/memory' },
      cpu: { version: 1, root: '/sys/fs/cgroup/cpu,cpuacct' },
      cpuacct: { version: 1, root: '/sys/fs/cgroup/cpu,cpuacct' },
      pids: { version: 1, root: '/sys/fs/cgroup/pids' },
    })
  })

  it('of version 2 offer what their top folder lists', () => {
    const root = mkdtempSync(join(tmpdir(), 'arena-cgroup-'))
    try {
      writeFileSync(join(root, 'cgroup.controllers'), 'cpuset cpu io memory pids\n')
      const found = findControllers(line(root, 'cgroup2 cgroup rw,nsdelegate'))
      expect(Object.fromEntries(found)).toEqual({
        memory: { version: 2, root },
        cpu: { version: 2, root },
        pids: { version: 2, root },
      })
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it('may be missing altogether', () => expect(findControllers('').size).toBe(0))
})
