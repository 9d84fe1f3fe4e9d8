import type { Scope } from './expressions.ts'
import { entries, evaluateToken, type Token } from './token.ts'
import { isValueList, isValueMap, textOf, type Value } from './values.ts'

/** An image in which a job runs, or a service beside it. */
export interface Container {
  readonly image: string
  readonly env: Readonly<Record<string, string>>
  /** `5432` or `8080:80`, as written. */
  readonly ports: readonly string[]
  readonly volumes: readonly string[]
  /** Options of `docker create`, as written. */
  readonly options: string
  /** Whether a registry asks for a password, which is a secret and so empty here. */
  readonly hasCredentials: boolean
}

/** A job's `container`: an image's name or a mapping; undefined where the job runs on the machine itself. */
export function containerOf(token: Token | undefined, scope: Scope): Container | undefined {
  return token && asContainer(evaluateToken(token, scope))
}

/** A job's `services` by name; one whose image is empty is not started, as on GitHub. */
export function servicesOf(token: Token | undefined, scope: Scope): Readonly<Record<string, Container>> {
  return Object.fromEntries(
    entries(token).flatMap(([name, value]) => {
      const service = asContainer(evaluateToken(value, scope))
      return service ? [[name, service]] : []
    }),
  )
}

function asContainer(value: Value): Container | undefined {
  const written = isValueMap(value) ? value : { image: value }
  const image = textOf(written.image)
  if (image === '') return undefined
  return {
    image,
    env: isValueMap(written.env) ? textsOf(written.env) : {},
    ports: listOf(written.ports),
    volumes: listOf(written.volumes),
    options: textOf(written.options),
    hasCredentials: written.credentials !== undefined,
  }
}

const textsOf = (map: { readonly [key: string]: Value }): Record<string, string> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, textOf(value)]))

const listOf = (value: Value | undefined): readonly string[] => (isValueList(value) ? value.map(textOf) : [])
