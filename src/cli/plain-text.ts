/** Text of models and servers for a terminal: control characters, which could move its cursor or set its title, are shown as �. */
export const plainText = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')
