import { describe, expect, it } from 'vitest'
import { checkUrl, isAllowedAddress } from '../../src/models/address-guard.ts'
import { createEndpointModel } from '../../src/models/endpoint-model.ts'
import { EndpointSpec } from '../../src/schema/competitor.ts'
import { answering, startOpenAiServer } from '../helpers/openai-server.ts'

const STRICT = { allowLoopback: false, allow: [] }
const LOOPBACK = { allowLoopback: true, allow: [] }

describe('addresses in a URL', () => {
  it.each([
    'http://127.0.0.1:8000/v1',
    'http://2130706433/v1',
    'http://0x7f000001/v1',
    'http://0x7f.1/v1',
    'http://0177.0.0.1/v1',
    'http://[::1]/v1',
    'http://[::ffff:127.0.0.1]/v1',
    'http://[::ffff:7f00:1]/v1',
    'http://[::127.0.0.1]/v1',
    'http://[64:ff9b::7f00:1]/v1',
    'http://[2002:7f00:1::]/v1',
    'http://0.0.0.0/v1',
    'http://10.1.2.3/v1',
    'http://172.16.0.1/v1',
    'http://192.168.1.1/v1',
    'http://100.64.0.1/v1',
    'http://169.254.169.254/latest',
    'http://[fd00:ec2::254]/latest',
    'http://[fe80::1]/v1',
    'http://224.0.0.1/v1',
    'http://255.255.255.255/v1',
    'http://198.18.0.1/v1',
    'http://user:password@example.com/v1',
    'http://user@example.com/v1',
    'ftp://example.com/v1',
    'file:///etc/passwd',
    'not a url',
  ])('refuses %s', (url) => {
    expect(() => checkUrl(url, STRICT)).toThrow()
  })
  it.each(['https://api.example.com/v1', 'http://8.8.8.8/v1', 'http://[2606:4700:4700::1111]/v1'])(
    'allows %s',
    (url) => {
      expect(checkUrl(url, STRICT).href).toContain('/v1')
    },
  )
  it('allows loopback, and nothing else, where the operator does', () => {
    expect(checkUrl('http://127.0.0.1:8000/v1', LOOPBACK).port).toBe('8000')
    expect(checkUrl('http://[::1]:8000/v1', LOOPBACK).port).toBe('8000')
    expect(() => checkUrl('http://192.168.1.1/v1', LOOPBACK)).toThrow()
    expect(() => checkUrl('http://169.254.169.254/', LOOPBACK)).toThrow()
  })
  it('allows single addresses that the operator names', () => {
    expect(isAllowedAddress('192.168.1.7', { allowLoopback: false, allow: ['192.168.1.7'] })).toBe(true)
    expect(isAllowedAddress('192.168.1.8', { allowLoopback: false, allow: ['192.168.1.7'] })).toBe(false)
  })
})

describe('names', () => {
  const askThrough = async (addresses: readonly (readonly string[])[], allowLoopback: boolean) => {
    const server = await startOpenAiServer(answering('hello'))
    const asked: string[] = []
    const port = new URL(server.baseUrl).port
    const model = createEndpointModel(
      EndpointSpec.parse({ baseUrl: `http://models.example.com:${port}/v1`, model: 'small' }),
      {
        key: undefined,
        addresses: { allowLoopback, allow: [] },
        now: () => performance.now(),
        random: () => 0,
        wait: async () => {},
        resolve: async (host) => {
          const answer = addresses[Math.min(asked.length, addresses.length - 1)] ?? []
          asked.push(host)
          return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        },
      },
    )
    try {
      const reply = await model.ask({ messages: [], attempt: 1, taskId: 't', kind: 'patch' })
      return { reply, asked, reached: server.requests.length }
    } finally {
      await model.close()
      await server.close()
    }
  }

  it('are resolved once, and the connection goes to the address that was checked', async () => {
    const { reply, asked, reached } = await askThrough([['127.0.0.1'], ['10.0.0.1']], true)
    expect(reply.text).toBe('hello')
    expect(asked).toEqual(['models.example.com'])
    expect(reached).toBe(1)
  })
  it('that lead to a private address are refused, and nothing is sent', async () => {
    const { reply, reached } = await askThrough([['127.0.0.1']], false)
    expect(reply.error).toMatch(/^blocked-address: .*127\.0\.0\.1/)
    expect(reached).toBe(0)
  })
  it('that lead to a public and a private address are refused', async () => {
    const { reply, reached } = await askThrough([['8.8.8.8', '127.0.0.1']], false)
    expect(reply.error).toMatch(/^blocked-address/)
    expect(reached).toBe(0)
  })
  it.each(['http://localhost:8000/v1', 'http://models.localhost/v1'])('%s is this machine', (baseUrl) => {
    const spec = EndpointSpec.parse({ baseUrl, model: 'x' })
    const portsWith = (allowLoopback: boolean) => ({
      key: undefined,
      addresses: { allowLoopback, allow: [] },
      now: () => 0,
      random: () => 0,
    })
    expect(() => createEndpointModel(spec, portsWith(false))).toThrow(/this machine, which is not allowed/)
    expect(() => createEndpointModel(spec, portsWith(true))).not.toThrow()
  })
  it('a literal address of a machine nearby is wrong input', () => {
    const spec = EndpointSpec.parse({ baseUrl: 'http://169.254.169.254/v1', model: 'x' })
    const ports = { key: undefined, addresses: LOOPBACK, now: () => 0, random: () => 0 }
    expect(() => createEndpointModel(spec, ports)).toThrow(/endpoint\.baseUrl: .*not allowed; use a public/)
  })
})
