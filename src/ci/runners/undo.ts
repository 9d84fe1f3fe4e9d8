import { mkdir } from 'node:fs/promises'
import { ArenaError, InputError, RunnerUnavailableError } from '../../errors.ts'

/** What was done to open a sandbox, to be undone in reverse order. */
export interface Undo {
  add(step: () => Promise<unknown>): void
  /** Does every step, also after one that throws; then throws the first error. A second call does nothing. */
  run(): Promise<void>
}

export function createUndo(): Undo {
  const steps: (() => Promise<unknown>)[] = []
  return {
    add: (step) => void steps.push(step),
    async run() {
      const errors: unknown[] = []
      for (const step of steps.splice(0).reverse()) await step().catch((error: unknown) => errors.push(error))
      if (errors.length > 0) throw errors[0]
    },
  }
}

/** Makes a sandbox's own folder. Throws InputError when a sandbox of this name is open. */
export async function makeSandboxFolder(folder: string, id: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      throw new InputError(`sandbox '${id}' is open already`)
    throw cause
  }
}

/** Undoes what was done so far and gives the error to throw: one of ours, with its place. */
export async function giveUp(undo: Undo, folder: string, error: unknown): Promise<ArenaError> {
  // What stopped the opening matters more than what then could not be undone; sweep finds that.
  await undo.run().catch(() => undefined)
  if (error instanceof ArenaError) return error
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return new RunnerUnavailableError(isFull ? 'the disk is full' : 'the sandbox could not be opened', {
    place: folder,
    cause: error,
    ...(isFull ? { remedy: 'free space or use a data folder on another disk' } : {}),
  })
}
