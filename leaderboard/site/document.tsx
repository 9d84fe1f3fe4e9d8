import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { seasonPath } from './paths.ts'
import { oneLine } from './visible.ts'

export interface AssetLinks {
  readonly stylesheet: string
  readonly icon: string
}

/** What surrounds every page. */
export interface Frame {
  readonly links: AssetLinks
  /** Newest first. */
  readonly seasons: readonly { readonly id: string; readonly title: string }[]
}

interface DocumentProps {
  readonly title: string
  readonly description: string
  readonly frame: Frame
  /** The entry of the menu that this page is. */
  readonly here?: 'standings' | 'method' | undefined
  /** Where the page lives for good. */
  readonly canonical?: string | undefined
  readonly children: ComponentChildren
}

function Wordmark() {
  return (
    <a class="brand" href="/">
      <span class="tiles" aria-hidden="true">
        <i class="m sw" />
        <i class="m rw" />
      </span>
      CI Arena
    </a>
  )
}

function MenuLink(props: { readonly href: string; readonly here: boolean; readonly children: string }) {
  return (
    <a href={props.href} {...(props.here ? { 'aria-current': 'page' as const } : {})}>
      {props.children}
    </a>
  )
}

const SEASONS_IN_FOOTER = 12

function Footer({ seasons }: Pick<Frame, 'seasons'>) {
  return (
    <footer>
      {seasons.length > 1 && (
        <nav aria-label="Seasons">
          Seasons:{' '}
          {seasons.slice(0, SEASONS_IN_FOOTER).map(({ id, title }) => (
            <a key={id} href={seasonPath(id)}>
              {oneLine(title, 80)}
            </a>
          ))}
        </nav>
      )}
      <p>
        One side writes the fix, the other writes the tests, the repository’s own CI decides.{' '}
        <a href="/method">How it is judged</a>
      </p>
    </footer>
  )
}

/** A whole page. Everything that is said in it goes through the renderer, which escapes it. */
export function renderDocument(props: DocumentProps): string {
  const { frame, here } = props
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${oneLine(props.title, 120)} · CI Arena`}</title>
        <meta name="description" content={oneLine(props.description, 240)} />
        {props.canonical && <link rel="canonical" href={props.canonical} />}
        <link rel="icon" type="image/svg+xml" href={frame.links.icon} />
        <link rel="stylesheet" href={frame.links.stylesheet} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <header class="top">
          <Wordmark />
          <nav aria-label="Pages">
            <MenuLink href="/" here={here === 'standings'}>
              Standings
            </MenuLink>
            <MenuLink href="/method" here={here === 'method'}>
              Method
            </MenuLink>
          </nav>
        </header>
        <main id="content">{props.children}</main>
        <Footer seasons={frame.seasons} />
      </body>
    </html>
  )
  return `<!doctype html>${renderToString(page)}`
}
