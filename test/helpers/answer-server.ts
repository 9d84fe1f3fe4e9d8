import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  answering,
  type Behaviour,
  DONE,
  delta,
  type OpenAiServer,
  type ServerRequest,
  startEvents,
  startOpenAiServer,
} from './openai-server.ts'

type Role = 'patch' | 'tests'

export interface AnswerServer {
  /** `URL#MODEL` as the command takes it. */
  readonly address: string
  /** What was asked of a role, in order. */
  asked(role: Role): readonly ServerRequest[]
  close(): Promise<void>
}

interface Message {
  readonly role: string
  readonly content: string
}

export const messagesOf = (request: ServerRequest): readonly Message[] =>
  (request.body as { messages: readonly Message[] }).messages

const roleOf = (request: ServerRequest): Role =>
  messagesOf(request)[0]?.content.startsWith('You fix issues') ? 'patch' : 'tests'

/** An example competitor's recorded answer, with what a server would append to it. */
export const recorded = (competitor: string, task: string, role: Role, more = ''): Behaviour =>
  answering(
    readFileSync(
      fileURLToPath(new URL(`../../examples/competitors/${competitor}/${task}/${role}.md`, import.meta.url)),
      'utf8',
    ) + more,
  )

/** Some text, a while of nothing (milliseconds), then the answer. */
export const slowly =
  (text: string, ms: number): Behaviour =>
  async (response) => {
    startEvents(response)
    response.write(delta({ content: 'Let me see.\n\n' }))
    await pause(ms)
    response.write(delta({ content: text }))
    response.end(`${delta({}, 'stop')}${DONE}`)
  }

/**
 * An OpenAI-compatible server that plays a competitor: it tells the roles by their prompts. The n-th asking of a role
 * gets its n-th behaviour, later ones the last.
 */
export async function startAnswerServer(
  model: string,
  behaviours: { readonly [R in Role]: readonly Behaviour[] },
): Promise<AnswerServer> {
  const asked: Record<Role, ServerRequest[]> = { patch: [], tests: [] }
  const server: OpenAiServer = await startOpenAiServer((response, request) => {
    const role = roleOf(request)
    const list = behaviours[role]
    const behaviour = list[Math.min(asked[role].length, list.length - 1)]
    asked[role].push(request)
    return behaviour?.(response, request)
  })
  return {
    address: `${server.baseUrl}#${model}`,
    asked: (role) => asked[role],
    close: () => server.close(),
  }
}

/** A server with an example competitor's recorded answers to one task. */
export const startRecordedServer = (competitor: string, task: string): Promise<AnswerServer> =>
  startAnswerServer(competitor, {
    patch: [recorded(competitor, task, 'patch')],
    tests: [recorded(competitor, task, 'tests')],
  })
