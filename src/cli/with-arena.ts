import { thenClose } from '../arena/close-all.ts'
import { type Arena, openArena } from '../arena.ts'
import { messageOf } from '../errors.ts'
import type { OnEvent } from '../schema/event.ts'
import type { CommandContext } from './command.ts'
import { createProgress } from './progress.ts'

/** Opens the arena for one command, shows progress on standard error, and closes it whatever happens. */
export async function withArena<T>(
  context: CommandContext,
  name: string,
  work: (arena: Arena, endProgress: () => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress({
    write: context.err,
    live: context.live,
    now: () => performance.now(),
    columns: () => process.stderr.columns ?? 80,
    repeat: (everyMs, work) => {
      const timer = setInterval(work, everyMs).unref()
      return () => clearInterval(timer)
    },
  })
  const onEvent: OnEvent = progress.onEvent
  const arena = await openArena({
    config: context.config,
    home: context.home,
    owner: `arena ${name}`,
    onEvent,
  })
  return thenClose(
    () => work(arena, progress.end),
    async () => {
      progress.end()
      await arena.close()
    },
    (error) => context.err(`arena: closing failed too: ${messageOf(error)}\n`),
  )
}

/** One JSON document on standard output. */
export const printJson = (context: CommandContext, value: unknown): void =>
  context.out(`${JSON.stringify(value, null, 2)}\n`)

/** Waits until the user ends the command. */
export const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** Told at the end of a command that was stopped before it was done; its exit code is 3. */
export const STOPPED = 'stopped; the same command goes on from here\n'
