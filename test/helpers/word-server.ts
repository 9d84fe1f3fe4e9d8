import { type Behaviour, DONE, startEvents } from './openai-server.ts'

/** One token of an answer with what could have stood in its place, by probability. */
export const answeringToken =
  (token: string, top: Readonly<Record<string, number>>, before: readonly string[] = []): Behaviour =>
  (response) => {
    const entry = (text: string, probability: number) => ({ token: text, logprob: Math.log(probability) })
    const alternatives = Object.entries(top).map(([text, probability]) => entry(text, probability))
    const content = [
      ...before.map((text) => ({ ...entry(text, 0.9), top_logprobs: [entry(text, 0.9)] })),
      { ...entry(token, top[token] ?? 0.5), top_logprobs: alternatives },
    ]
    const text = [...before, token].join('')
    const choice = { index: 0, delta: { content: text }, logprobs: { content }, finish_reason: 'length' }
    startEvents(response)
    response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`)
    response.write(
      `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 1 } })}\n\n`,
    )
    response.end(DONE)
  }
