import type { ContextManifest } from '../../src/schema/context.ts'
import { grouped, plural } from './format.ts'
import { Scroll } from './scroll.tsx'
import { oneLine } from './visible.ts'

/** How a served model took part, in words. */
function rerankWords({ rerank }: ContextManifest): string {
  if (rerank.kind === 'none') return ''
  return rerank.kind === 'done'
    ? `, ordered with ${oneLine(rerank.model, 60)}`
    : `; the reranker gave nothing, so the lexical order stands: ${oneLine(rerank.reason, 200)}`
}

/** What the model was shown of the repository: the same for everybody in this role. */
export function ContextView({ manifest }: { readonly manifest: ContextManifest | undefined }) {
  if (!manifest) return null
  const { items, tokens, budgetTokens, tokenizer, variant } = manifest
  return (
    <details>
      <summary>
        What was shown of the repository: {plural(items.length, 'run')} of lines, {grouped(tokens)} of{' '}
        {grouped(budgetTokens)} tokens
      </summary>
      <p class="note">
        Retrieval {variant}, tokens as {tokenizer}
        {rerankWords(manifest)}. Pack <code>{manifest.packSha256.slice(0, 12)}</code>: every competitor in
        this role was shown the same bytes.
      </p>
      <Scroll label="Lines that were shown">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col" class="n">
                Lines
              </th>
              <th scope="col" class="n">
                Tokens
              </th>
              <th scope="col" class="n">
                Score
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={`${item.path} ${item.startLine}`}>
                <th scope="row">
                  <code>{oneLine(item.path, 200)}</code>
                </th>
                <td class="n">
                  {item.startLine}–{item.endLine}
                </td>
                <td class="n">{grouped(item.tokens)}</td>
                <td class="n">{item.score.toFixed(1)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </details>
  )
}
