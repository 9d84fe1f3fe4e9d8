import { describe, expect, test } from 'vitest'
import { closeAll, thenClose } from '../../src/arena/close-all.ts'

const failing = (message: string) => async () => {
  throw new Error(message)
}

describe('closing', () => {
  test('reaches everything, and the first error is thrown afterwards', async () => {
    const closed: string[] = []
    const closing = closeAll([
      async () => closed.push('server'),
      failing('the sandboxes do not end'),
      failing('nor does the folder go'),
      async () => closed.push('database'),
    ])
    await expect(closing).rejects.toThrow('the sandboxes do not end')
    expect(closed).toEqual(['server', 'database'])
  })

  test('never hides why the work ended', async () => {
    const second: unknown[] = []
    const ended = thenClose(failing('the task is broken'), failing('the database is gone'), (error) =>
      second.push(error),
    )
    await expect(ended).rejects.toThrow('the task is broken')
    expect(second).toEqual([new Error('the database is gone')])
  })

  test('after good work its own error is thrown', async () => {
    const second: unknown[] = []
    const ended = thenClose(
      async () => 1,
      failing('the database is gone'),
      (error) => second.push(error),
    )
    await expect(ended).rejects.toThrow('the database is gone')
    expect(second).toEqual([])
    expect(
      await thenClose(
        async () => 1,
        async () => undefined,
        (error) => second.push(error),
      ),
    ).toBe(1)
  })
})
