/** Cuts secrets out of everything that is kept or shown. */
export interface Redactor {
  text(value: string): string
  bytes(value: Buffer): Buffer
}

/** Shorter ones would cut ordinary words; no key is that short. */
const SHORTEST = 4
const MASK = '[secret]'

/** The forms in which a secret may come back: as it is, in JSON, in a URL, in base64. */
const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(secret, 'utf8').toString('base64').replace(/=+$/, ''),
]

export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= SHORTEST).flatMap(formsOf))].sort(
    (a, b) => b.length - a.length,
  )
  const text = (value: string): string => forms.reduce((left, form) => left.replaceAll(form, MASK), value)
  return {
    text,
    bytes: (value) => {
      if (forms.every((form) => !value.includes(form))) return value
      const masked = forms.reduce(
        (left, form) => left.replaceAll(Buffer.from(form, 'utf8').toString('latin1'), MASK),
        value.toString('latin1'),
      )
      return Buffer.from(masked, 'latin1')
    },
  }
}
