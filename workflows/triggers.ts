import type { EventInput } from './contexts.ts'
import { takes } from './filter-pattern.ts'
import { entries, find, items, sourceOf, type Token } from './token.ts'

/** What started a run, as far as filters ask; what is not known is not asked. */
export interface EventFilter {
  readonly branch?: string
  readonly tag?: string
  /** Paths that the event changed. */
  readonly changed?: readonly string[]
  /** `opened`, `synchronize`, …: the event's `action`. */
  readonly activity?: string
}

/** Why a run does not start, and the line that says so. */
export interface NotStarted {
  readonly line: number | undefined
  readonly reason: string
}

/** Without `types`, only these activities start a run. */
const DEFAULT_TYPES: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened'],
  pull_request_target: ['opened', 'synchronize', 'reopened'],
}

/** Events that a run asks for first where any may be taken. */
const USUAL = ['push', 'pull_request', 'workflow_dispatch', 'schedule', 'merge_group']

/** Undefined when the event starts the workflow by its name and every filter that can be asked. */
export function notStarted(on: Token | undefined, event: EventInput): NotStarted | undefined {
  if (!eventNames(on).includes(event.name)) return { line: on?.line, reason: `not started by ${event.name}` }
  const settings = find(on, event.name)
  const known = event.filter ?? {}
  return ofTypes(settings, event.name, known) ?? ofReference(settings, known) ?? ofPaths(settings, known)
}

/** An event that starts the workflow; undefined where `on` names none. */
export function anyEvent(on: Token | undefined): string | undefined {
  const names = eventNames(on)
  return USUAL.find((name) => names.includes(name)) ?? names[0]
}

/** The events that `on` names. */
export const eventNames = (on: Token | undefined): readonly string[] =>
  [sourceOf(on), ...items(on).map(sourceOf), ...entries(on).map(([name]) => name)].flatMap((name) =>
    name === undefined ? [] : [name],
  )

function ofTypes(settings: Token | undefined, name: string, known: EventFilter): NotStarted | undefined {
  if (known.activity === undefined) return undefined
  const types = find(settings, 'types')
  const wanted = types ? listOf(types) : DEFAULT_TYPES[name]
  return wanted === undefined || wanted.includes(known.activity)
    ? undefined
    : { line: types?.line ?? settings?.line, reason: `not started by ${name} ${known.activity}` }
}

/** A workflow that filters by branches alone is not started by a tag, and the other way round. */
function ofReference(settings: Token | undefined, known: EventFilter): NotStarted | undefined {
  const kind = known.tag !== undefined ? 'tag' : 'branch'
  const name = known.tag ?? known.branch
  if (name === undefined) return undefined
  const [own, other] = kind === 'tag' ? (['tags', 'branches'] as const) : (['branches', 'tags'] as const)
  const [only, except] = [find(settings, own), find(settings, `${own}-ignore`)]
  if (only && !takes(listOf(only), name))
    return { line: only.line, reason: `not started by the ${kind} ${name}` }
  if (except && takes(listOf(except), name))
    return { line: except.line, reason: `not started by the ${kind} ${name}` }
  const others = find(settings, other) ?? find(settings, `${other}-ignore`)
  return only || except || !others
    ? undefined
    : { line: others.line, reason: `not started by a ${kind}: only by ${other}` }
}

/** Paths are not asked for tags. */
function ofPaths(settings: Token | undefined, known: EventFilter): NotStarted | undefined {
  const { changed } = known
  if (changed === undefined || known.tag !== undefined) return undefined
  const [only, except] = [find(settings, 'paths'), find(settings, 'paths-ignore')]
  if (only && !changed.some((path) => takes(listOf(only), path)))
    return { line: only.line, reason: 'not started: no changed path is among paths' }
  if (except && changed.every((path) => takes(listOf(except), path)))
    return { line: except.line, reason: 'not started: every changed path is among paths-ignore' }
  return undefined
}

const listOf = (token: Token): readonly string[] =>
  [sourceOf(token), ...items(token).map(sourceOf)].flatMap((text) => (text === undefined ? [] : [text]))
