import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { z } from 'zod'
import { parseInput } from './schema/parse.ts'

/** What the environment may say. Everything else comes as flags. Secrets stay in the environment and are asked for by name. */
const Environment = z.object({
  ARENA_DATA: z
    .string()
    .min(1)
    .optional()
    .describe('folder of the embedded database, artifacts and work files'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://…')
    .optional()
    .describe('a PostgreSQL instead of the embedded database'),
  ARENA_SANDBOX: z.enum(['auto', 'bubblewrap', 'docker']).default('auto'),
  ARENA_PARALLEL: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe('sandboxes at once; default: CPU cores'),
  DOCKER_HOST: z.string().optional(),
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
  HOME: z.string().optional(),
  NO_COLOR: z.string().optional(),
})

/** Where packages come from: what the operator's own tools are told, told to those of the warm phase too. */
const REGISTRIES = [
  ...['GOPROXY', 'GOSUMDB', 'GONOSUMDB', 'PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL'],
  ...['UV_DEFAULT_INDEX', 'UV_INDEX_URL', 'NPM_CONFIG_REGISTRY'],
]

/** A URL with a user name or password. */
const WITH_SECRET = /:\/\/[^/\s]*@/

export interface Config {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly sandbox: 'auto' | 'bubblewrap' | 'docker'
  readonly parallel: number | undefined
  readonly dockerHost: string | undefined
  readonly path: string
  readonly home: string
  readonly colour: boolean
  /** Variables that name package registries, without those that hold a password. */
  readonly registries: Readonly<Record<string, string>>
  /** Reads a secret by the name of its variable; the value is never stored in a record. */
  secret(name: string): string | undefined
}

/** Flags that stand above the environment. */
export interface ConfigFlags {
  readonly data?: string | undefined
  readonly sandbox?: 'auto' | 'bubblewrap' | 'docker' | undefined
}

/** Throws InputError that names the variable. `folder` is what relative paths are relative to. */
export function readConfig(env: NodeJS.ProcessEnv, folder: string, flags: ConfigFlags = {}): Config {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = parseInput(Environment, set, 'environment')
  return {
    dataDir: resolve(folder, flags.data ?? parsed.ARENA_DATA ?? '.arena'),
    databaseUrl: parsed.DATABASE_URL,
    sandbox: flags.sandbox ?? parsed.ARENA_SANDBOX,
    parallel: parsed.ARENA_PARALLEL,
    dockerHost: parsed.DOCKER_HOST,
    path: parsed.PATH,
    home: parsed.HOME ?? homedir(),
    colour: parsed.NO_COLOR === undefined,
    registries: Object.fromEntries(
      REGISTRIES.flatMap((name) => {
        const value = env[name]
        return value && !WITH_SECRET.test(value) ? [[name, value]] : []
      }),
    ),
    secret: (name) => env[name] || undefined,
  }
}
