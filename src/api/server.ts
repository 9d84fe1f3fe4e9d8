import type { FastifyInstance } from 'fastify'
import { EnvironmentError } from '../errors.ts'

export interface Listening {
  /** `http://127.0.0.1:8080`, with the port that was taken. */
  readonly address: string
  /** Ends open connections and frees the port. */
  close(): Promise<void>
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

function listenError(cause: unknown, port: number, host: string): EnvironmentError {
  const remedy = 'choose another one with --port N'
  switch (codeOf(cause)) {
    case 'EADDRINUSE':
      return new EnvironmentError(`port ${port} is in use on ${host}`, { remedy, cause })
    case 'EACCES':
      return new EnvironmentError(`port ${port} may not be used without root`, { remedy, cause })
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new EnvironmentError(`${host} is no address of this machine`, {
        remedy: 'choose another one with --host ADDRESS',
        cause,
      })
    default:
      return new EnvironmentError(`cannot listen on ${host}, port ${port}`, { remedy, cause })
  }
}

/** Port 0 takes a free one. Throws EnvironmentError where the port cannot be had; the app is closed then. */
export async function listen(
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Listening> {
  try {
    await app.listen({ port, host })
  } catch (cause) {
    await app.close()
    throw listenError(cause, port, host)
  }
  const taken = app.addresses().find((bound) => typeof bound === 'object')?.port ?? port
  const name = host.includes(':') ? `[${host}]` : host
  return { address: `http://${name}:${taken}`, close: () => app.close() }
}
