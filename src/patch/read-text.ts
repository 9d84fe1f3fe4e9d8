/** A file's bytes as text, undefined when they are not UTF-8. */
export function readText(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined
}

export const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
