import type { OnEvent } from '../schema/event.ts'
import { plainText } from './plain-text.ts'

/** One line a step as it ends, and one as a leg's next step begins, so that a long build is seen to run. */
export function createStepTree(options: { readonly write: (text: string) => void }): {
  readonly onEvent: OnEvent
} {
  const SIGNS: Readonly<Record<string, string>> = { success: 'ok', skipped: '--' }
  return {
    onEvent(event) {
      if (event.kind === 'warning') options.write(`warning: ${plainText(event.message)}\n`)
      if (event.kind !== 'step') return
      const name = plainText(`${event.leg} > ${event.step}`)
      if (event.state === 'started') options.write(`     ${name}\n`)
      else
        options.write(
          `${(SIGNS[event.conclusion ?? ''] ?? event.conclusion ?? '').padEnd(4)} ${name} (${(event.durationMs / 1000).toFixed(1)} s)\n`,
        )
    },
  }
}
