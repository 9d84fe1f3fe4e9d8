import type { Generation, ModelCall } from '../../src/schema/match.ts'
import { Excerpt } from './excerpt.tsx'
import { duration, grouped, plural } from './format.ts'
import { logPath } from './paths.ts'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'

interface CallsProps {
  readonly generation: Generation
  readonly whole: string
}

const count = (tokens: number | null): string => (tokens === null ? '–' : grouped(tokens))

/** To the eye: four digits, and a mark where tokens were estimated. */
const money = ({ amount, currency, estimated }: NonNullable<ModelCall['cost']>): string =>
  `${estimated ? '~' : ''}${Number(amount.toPrecision(4))}\u202f${currency}`

function CallRow({ call, priced }: { readonly call: ModelCall; readonly priced: boolean }) {
  return (
    <tr>
      <th scope="row">{call.attempt}</th>
      <td class="n">{count(call.promptTokens)}</td>
      <td class="n">{count(call.completionTokens)}</td>
      <td>
        {call.error === null
          ? oneLine(call.stopReason ?? 'not said', 60)
          : `error: ${oneLine(call.error, 300)}`}
      </td>
      <td class="n">{duration(call.durationMs)}</td>
      {priced && <td class="n">{call.cost ? money(call.cost) : '–'}</td>}
      <td>{call.response === null ? '–' : <a href={logPath(call.response)}>raw answer</a>}</td>
    </tr>
  )
}

function Text({ call, whole }: { readonly call: ModelCall; readonly whole: string }) {
  return (
    <>
      {call.reasoning !== '' && (
        <details>
          <summary>Reasoning of attempt {call.attempt}</summary>
          <Excerpt text={call.reasoning} label={`Reasoning of attempt ${call.attempt}`} whole={whole} />
        </details>
      )}
      {call.text !== '' && (
        <details>
          <summary>Text of attempt {call.attempt}</summary>
          <Excerpt text={call.text} label={`Text of attempt ${call.attempt}`} whole={whole} />
        </details>
      )}
    </>
  )
}

/** The transcript: what was asked, and each answer with its tokens. */
export function Calls({ generation, whole }: CallsProps) {
  const { calls, prompt, promptVersion } = generation
  if (calls.length === 0) return null
  const priced = calls.some((call) => call.cost !== undefined)
  return (
    <details>
      <summary>
        {plural(calls.length, 'model call')}, prompt {oneLine(promptVersion, 40)}
      </summary>
      <Scroll label={`Model calls for the ${generation.kind}`}>
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col" class="n">
                Tokens in
              </th>
              <th scope="col" class="n">
                Tokens out
              </th>
              <th scope="col">Stopped by</th>
              <th scope="col" class="n">
                Time
              </th>
              {priced && (
                <th scope="col" class="n">
                  Cost
                </th>
              )}
              <th scope="col">Kept</th>
            </tr>
          </thead>
          <tbody>
            {calls.map((call) => (
              <CallRow key={call.attempt} call={call} priced={priced} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {prompt !== '' && (
        <details>
          <summary>Prompt</summary>
          <Excerpt text={prompt} label="Prompt" whole={whole} />
        </details>
      )}
      {calls.map((call) => (
        <Text key={call.attempt} call={call} whole={whole} />
      ))}
    </details>
  )
}
