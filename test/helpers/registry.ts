import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from './repository.ts'

/** The name of the registry inside a sandbox. */
export const REGISTRY = 'packages.invalid'

export interface Registry {
  readonly port: number
  /** Paths that were asked for. */
  readonly asked: string[]
  [Symbol.asyncDispose](): Promise<void>
}

const MAKE = `
import sys, zipfile
name = 'arena_thing-1.0'
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('arena_thing.py', 'ANSWER = 42\\n')
    wheel.writestr(name + '.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: arena-thing\\nVersion: 1.0\\n')
    wheel.writestr(name + '.dist-info/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(name + '.dist-info/RECORD', '')
`

/** A package index on a loopback port of its own that holds one wheel, \`arena-thing\` 1.0. */
export async function startRegistry(): Promise<Registry> {
  using folder = temporaryFolder('registry')
  const file = 'arena_thing-1.0-py3-none-any.whl'
  execFileSync('python3', ['-c', MAKE, join(folder.path, file)])
  const wheel = readFileSync(join(folder.path, file))
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/simple/arena-thing/') {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<a href="/files/${file}">${file}</a>`)
    } else if (request.url === `/files/${file}`) response.end(wheel)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
