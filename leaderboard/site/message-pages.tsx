import { type Frame, renderDocument } from './document.tsx'

interface Message {
  readonly status: number
  readonly detail: string
  /** What an operator finds the fault by. */
  readonly reference: string | null
}

function headingOf(status: number): string {
  if (status === 404) return 'Not found'
  if (status === 503) return 'Out of reach for the moment'
  return status >= 500 ? 'Our fault' : 'That cannot be answered'
}

export function renderMessagePage({ status, detail, reference }: Message, frame: Frame): string {
  const heading = headingOf(status)
  return renderDocument({
    title: heading,
    description: detail,
    frame,
    children: (
      <article class="message">
        <p class="eyebrow">{status}</p>
        <h1>{heading}</h1>
        <p class="lead">{detail}</p>
        {status === 404 && (
          <p>
            Rounds live at <code>/rounds/</code> and their digest, of which the first twelve digits are
            enough; seasons at <code>/seasons/</code> and their name.
          </p>
        )}
        {reference && (
          <p>
            Its number is <code>{reference}</code>, should you want to tell somebody.
          </p>
        )}
        <p>
          <a href="/">To the standings</a>
        </p>
      </article>
    ),
  })
}

/** Before the first season. */
export function renderEmptyPage(frame: Frame): string {
  return renderDocument({
    title: 'No season yet',
    description: 'This arena has not played a season.',
    frame,
    here: 'standings',
    children: (
      <article class="message">
        <p class="eyebrow">Standings</p>
        <h1>No season yet</h1>
        <p class="lead">This arena has not played a round. One command plays the first season:</p>
        <pre class="command">arena demo</pre>
        <p>
          or, with a season file of your own, <code>arena season FILE</code>. Then load this page again.
        </p>
        <p>
          Meanwhile: <a href="/method">how rounds are judged</a>.
        </p>
      </article>
    ),
  })
}
