import { describe, expect, it } from 'vitest'
import { buildApp } from '../../src/api/app.ts'
import { listen } from '../../src/api/server.ts'
import { EnvironmentError } from '../../src/errors.ts'
import { emptyArena } from '../helpers/views.ts'

const appOf = () => buildApp({ queries: emptyArena })

describe('listening', () => {
  it('takes a free port, says where it is, and frees it again', async () => {
    const first = await listen(appOf(), { port: 0, host: '127.0.0.1' })
    expect(first.address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect((await fetch(`${first.address}/healthz`)).status).toBe(200)
    await first.close()
    const port = Number(new URL(first.address).port)
    const second = await listen(appOf(), { port, host: '127.0.0.1' })
    expect(second.address).toBe(first.address)
    await second.close()
  })

  it('names a port that is in use, and the remedy', async () => {
    const first = await listen(appOf(), { port: 0, host: '127.0.0.1' })
    const port = Number(new URL(first.address).port)
    const second = listen(appOf(), { port, host: '127.0.0.1' })
    await expect(second).rejects.toThrow(EnvironmentError)
    await expect(second).rejects.toThrow(
      `port ${port} is in use on 127.0.0.1; choose another one with --port N`,
    )
    await first.close()
  })

  it('names an address that this machine does not have', async () => {
    const listening = listen(appOf(), { port: 0, host: '192.0.2.1' })
    await expect(listening).rejects.toThrow('192.0.2.1 is no address of this machine')
  })
})
