import type { EndpointSpec } from '../schema/competitor.ts'
import type { Fault } from './fault.ts'
import { LONGEST_WAIT_MS } from './retry-delay.ts'

/** Requests at once that an endpoint gets when its settings say nothing. */
const CONCURRENCY = 16
const SHORTEST_GAP_MS = 250

export interface PaceOptions {
  /** Requests at once at most. */
  readonly concurrency: number
  /** Requests begun in a minute at most; undefined for any number. */
  readonly requestsPerMinute: number | undefined
  /** Milliseconds. */
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** A request's place among those that may be under way. */
export interface Place {
  /** Gives it back, with what the request came to. */
  leave(fault: Fault | null): void
}

/**
 * How fast one endpoint is asked, by everybody who asks it. Who is told to come later (429, 529, 503 with Retry-After)
 * halves the number of requests at once, and nobody new is sent before that time; each answer gives a part of it back.
 * Below one at once the distance between requests grows.
 */
export interface Pace {
  /** A number for a request and its retries: who came first goes first. */
  ticket(): number
  /** Waits for a place. `again`: a retry, which has waited by itself. Rejects with the signal's reason. */
  enter(ticket: number, again: boolean, signal: AbortSignal | undefined): Promise<Place>
}

interface Waiting {
  readonly ticket: number
  readonly go: () => void
}

export function createPace(options: PaceOptions): Pace {
  const { now, wait } = options
  const leastGapMs = options.requestsPerMinute === undefined ? 0 : 60_000 / options.requestsPerMinute
  const queue: Waiting[] = []
  let tickets = 0
  let inside = 0
  let limit = options.concurrency
  let gapMs = leastGapMs
  let nextAt = Number.NEGATIVE_INFINITY
  let pausedUntil = Number.NEGATIVE_INFINITY
  let loweredAt = Number.NEGATIVE_INFINITY

  const letIn = (): void => {
    while (inside < Math.floor(limit)) {
      const first = queue.shift()
      if (!first) return
      inside++
      first.go()
    }
  }
  const place = (ticket: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queue.splice(queue.indexOf(waiting), 1)
        reject(signal?.reason)
      }
      const waiting: Waiting = {
        ticket,
        go: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      const after = queue.findIndex((other) => other.ticket > ticket)
      queue.splice(after === -1 ? queue.length : after, 0, waiting)
      letIn()
    })
  const slowDown = (fault: Fault, sentAt: number): void => {
    const waitMs = Math.min(LONGEST_WAIT_MS, fault.retryAfterMs ?? SHORTEST_GAP_MS)
    pausedUntil = Math.max(pausedUntil, now() + waitMs)
    // Those that were under way together are one piece of news, not as many as they are.
    if (sentAt < loweredAt) return
    loweredAt = now()
    if (limit < 2) gapMs = Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_GAP_MS, 2 * gapMs))
    limit = Math.max(1, limit / 2)
  }
  const speedUp = (): void => {
    if (gapMs > leastGapMs) gapMs = gapMs < SHORTEST_GAP_MS ? leastGapMs : Math.max(leastGapMs, 0.8 * gapMs)
    else limit = Math.min(options.concurrency, limit + 1 / limit)
  }

  return {
    ticket: () => tickets++,
    async enter(ticket, again, signal) {
      signal?.throwIfAborted()
      await place(ticket, signal)
      const giveBack = (): void => {
        inside--
        letIn()
      }
      try {
        for (;;) {
          const waitMs = Math.max(nextAt, again ? nextAt : pausedUntil) - now()
          if (waitMs <= 0) break
          await wait(waitMs, signal)
        }
        signal?.throwIfAborted()
      } catch (error) {
        giveBack()
        signal?.throwIfAborted()
        throw error
      }
      const sentAt = now()
      nextAt = sentAt + gapMs
      return {
        leave(fault) {
          if (fault?.busy) slowDown(fault, sentAt)
          else if (fault === null) speedUp()
          giveBack()
        },
      }
    },
  }
}

/** One pace an endpoint and model, whoever asks; of several settings for it the most careful ones hold. */
export function createPaces(
  competitors: readonly EndpointSpec[],
  ports: Pick<PaceOptions, 'now' | 'wait'>,
): (spec: EndpointSpec) => Pace {
  const nameOf = (spec: EndpointSpec): string => `${spec.baseUrl.replace(/\/+$/, '')}#${spec.model}`
  const paces = new Map<string, Pace>()
  return (spec) => {
    const name = nameOf(spec)
    const known = paces.get(name)
    if (known) return known
    const same = [spec, ...competitors.filter((other) => nameOf(other) === name)]
    const rates = same.flatMap(({ requestsPerMinute }) => requestsPerMinute ?? [])
    const made = createPace({
      concurrency: Math.min(...same.map(({ concurrency }) => concurrency ?? CONCURRENCY)),
      requestsPerMinute: rates.length === 0 ? undefined : Math.min(...rates),
      ...ports,
    })
    paces.set(name, made)
    return made
  }
}
