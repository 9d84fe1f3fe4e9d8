import type { RoundView } from '../../src/schema/view.ts'
import { minute } from './format.ts'
import { roundPath } from './paths.ts'

/** What names this round and everything that it depends on. */
export function Provenance({ view, whole }: { readonly view: RoundView; readonly whole: string }) {
  const { round } = view
  const digests: readonly (readonly [string, string])[] = [
    ['Season', round.seasonDigest],
    ['Task', round.task],
    ['Patch', round.patch],
    ['Tests', round.tests ?? 'not asked'],
    ['Environment', round.environment],
  ]
  return (
    <section aria-labelledby="provenance">
      <h2 id="provenance">Provenance</h2>
      <dl class="digests">
        <div>
          <dt>Round</dt>
          <dd>
            <a href={roundPath(round.id)}>
              <code>{round.id}</code>
            </a>
          </dd>
        </div>
        {digests.map(([name, digest]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{digest}</code>
            </dd>
          </div>
        ))}
        <div>
          <dt>Judge</dt>
          <dd>version {round.verdict.judgeVersion}</dd>
        </div>
        <div>
          <dt>Settled</dt>
          <dd>
            <time dateTime={round.settledAt}>{minute(round.settledAt)}</time>
          </dd>
        </div>
        <div>
          <dt>Data</dt>
          <dd>
            <a href={whole}>everything on this page as JSON</a>
          </dd>
        </div>
      </dl>
    </section>
  )
}
