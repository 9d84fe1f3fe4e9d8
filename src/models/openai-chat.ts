import { type ChatApi, createReader, parsePart } from './chat-api.ts'
import { errorMessage } from './error-message.ts'
import { faultOf } from './fault.ts'
import { collectChunk, OpenAiChunk } from './openai-chunk.ts'

function parseChunk(data: string): OpenAiChunk {
  const chunk = parsePart(data, OpenAiChunk, 'a chat completion')
  if (chunk.error != null) throw faultOf('endpoint-error', errorMessage(chunk.error).slice(0, 500))
  return chunk
}

/** Chat completions: vLLM, SGLang, llama.cpp, OpenAI and whoever speaks like it. */
export const openAiChat: ChatApi = {
  path: '/chat/completions',
  headers: (key) => ({ ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }),
  body: (spec, { messages, temperature, maxOutputTokens, logProbs }) => ({
    model: spec.model,
    messages,
    temperature,
    max_tokens: maxOutputTokens,
    ...(logProbs === undefined ? {} : { logprobs: true, top_logprobs: logProbs }),
    stream: true,
    stream_options: { include_usage: true },
  }),
  reader: (format, collected, pieces) =>
    createReader(format, collected, pieces, {
      event(data) {
        if (data.trim() === '[DONE]') return true
        collectChunk(collected, parseChunk(data))
        return false
      },
      whole(text) {
        const chunk = parseChunk(text)
        if (!chunk.choices?.length) throw faultOf('invalid-json', 'an answer without choices')
        collectChunk(collected, chunk)
      },
    }),
}
