// An OpenAI-compatible server on loopback that plays recorded answers: one address a player, whoever asks. It tells roles by
// their prompts and tasks by their issues, as a model would.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

const chunk = (value) => `data: ${JSON.stringify(value)}\n\n`

async function bodyOf(request) {
  const parts = []
  for await (const part of request) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString('utf8'))
}

function roleOf(messages) {
  const first = messages[0]?.content ?? ''
  if (first.startsWith('You fix issues')) return 'patch'
  if (first.startsWith('You check patches')) return 'verify'
  return 'tests'
}

/** Streams an answer in pieces of a word, with usage. */
function stream(response, messages, text) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of text.match(/\s*\S+|\s+$/g) ?? [])
    response.write(chunk({ choices: [{ index: 0, delta: { content: piece }, finish_reason: null }] }))
  response.write(chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
  const usage = {
    prompt_tokens: Math.ceil(characters / 4),
    completion_tokens: Math.ceil(text.length / 4),
  }
  response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`)
}

/** Yes or no by its probability, as a verifier answers. */
function streamWord(response, yes) {
  const entry = (token, probability) => ({ token, logprob: Math.log(probability) })
  const top = [entry('Yes', yes), entry('No', 1 - yes)].sort((a, b) => b.logprob - a.logprob)
  const content = [{ ...top[0], top_logprobs: top }]
  const choice = {
    index: 0,
    delta: { content: top[0].token },
    logprobs: { content },
    finish_reason: 'length',
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const usage = { prompt_tokens: 1000, completion_tokens: 1 }
  response.end(`${chunk({ choices: [choice] })}${chunk({ choices: [], usage })}data: [DONE]\n\n`)
}

const addedLines = (diff) =>
  diff.split('\n').filter((line) => /^\+(?!\+\+)/.test(line) && line.trim() !== '+')

/**
 * `answers`: folder of recorded answers. `tasks`: each with `id`, `like` (whose answers it has) and `issue`. Players without a folder:
 * `faulty` refuses or is cut, `talker` has no answer to apply. `drawn`: whose patches a player gives, one after the other.
 */
export async function startAnswers({ answers, tasks, drawn }) {
  const asked = { patch: 0, tests: 0, verify: 0 }
  const drawnBy = new Map()
  const answerOf = (player, task, role) => {
    const file = join(answers, player, task, `${role}.md`)
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }
  const serve = async (request, response) => {
    const player = request.url.split('/')[1]
    const { messages } = await bodyOf(request)
    const role = roleOf(messages)
    asked[role]++
    const text = messages.map(({ content }) => content).join('\n')
    const task = tasks.find(({ issue }) => text.includes(issue.trim()))
    if (!task) {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"no such task"}}')
    } else if (role === 'verify') {
      // It knows the shape of a good patch: not the golden one, but a recorded one that resolves the task.
      const right = new Set(addedLines(answerOf('thorough', task.like, 'patch')))
      const patch = addedLines(text.slice(text.indexOf('<patch>'), text.indexOf('</patch>')))
      const share = patch.filter((line) => right.has(line)).length / Math.max(1, patch.length)
      streamWord(response, 0.1 + 0.8 * share)
    } else if (player === 'faulty' && role === 'patch') {
      response.writeHead(503, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"out of memory"}}')
    } else if (player === 'faulty') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const half = chunk({ choices: [{ index: 0, delta: { content: 'half' }, finish_reason: null }] })
      response.write(half, () => response.destroy())
    } else if (player === 'talker')
      stream(response, messages, 'I would first look at the parser, and then think again.')
    else if (role === 'patch' && drawn) {
      const name = `${player} ${task.id}`
      const turn = drawnBy.get(name) ?? 0
      drawnBy.set(name, turn + 1)
      stream(response, messages, answerOf([player, ...drawn][turn % (drawn.length + 1)], task.like, 'patch'))
    } else stream(response, messages, answerOf(player, task.like, role))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  return {
    asked,
    baseUrl: (player) => `http://127.0.0.1:${port}/${player}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
