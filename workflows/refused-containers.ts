import type { Container } from './container.ts'
import type { JobDefinition } from './parse.ts'

/** What becomes of the images that a leg asks for. */
export interface ContainersHere {
  readonly refused?: { readonly line: number; readonly reason: string }
  readonly notes: readonly string[]
}

/**
 * The sandbox is the machine's own system: no image is started in it. With `substitute` a leg runs without its image and says
 * so; a service has no stand-in.
 */
export function refusedContainers(
  job: JobDefinition,
  container: Container | null,
  services: Readonly<Record<string, Container>>,
  substitute: boolean,
): ContainersHere {
  const [service] = Object.entries(services)
  if (service) {
    const line = job.services?.line ?? job.line
    return {
      refused: { line, reason: `service ${service[0]} (${service[1].image}) is not at hand` },
      notes: [],
    }
  }
  if (!container) return { notes: [] }
  const words = `container ${container.image} is not at hand`
  if (substitute) return { notes: [`substituted: ${words}; the machine's own tools are used`] }
  return { refused: { line: job.container?.line ?? job.line, reason: words }, notes: [] }
}
