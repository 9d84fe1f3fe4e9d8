import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { legsOf } from './helpers.ts'

const TASKS = new URL('../../examples/tasks/', import.meta.url)
const WORKFLOW = /\.github\/workflows\/[^/]+\.yml$/

const workflows = readdirSync(TASKS, { recursive: true, encoding: 'utf8' }).filter((path) =>
  WORKFLOW.test(path),
)

describe('the examples', () => {
  test('have workflows', () => {
    expect(workflows.length).toBeGreaterThanOrEqual(4)
  })

  test.each(workflows)('every leg of %s is planned with the tools of any current distribution', (path) => {
    const legs = legsOf(readFileSync(fileURLToPath(new URL(path, TASKS)), 'utf8'))
    expect(legs.filter((leg) => leg.includes(':'))).toEqual([])
    expect(legs.length).toBeGreaterThan(0)
  })
})
