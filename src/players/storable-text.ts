/** Text as every database takes it: no NUL, no half of a surrogate pair; each becomes the replacement character. */
export const storableText = (text: string): string => text.replace(/[\0\ud800-\udfff]/gu, '\ufffd')
