/** An answer without what the model thought before it. `open`: the answer ended inside a thought. */
export interface WithoutThoughts {
  readonly text: string
  readonly cut: number
  readonly open: boolean
}

const NAMES = 'think|thinking|thought|reasoning'
const OPENS = new RegExp(`^\\s{0,3}<(${NAMES})>`, 'i')
const STRAY_CLOSE = new RegExp(`^\\s{0,3}</(?:${NAMES})>`, 'im')

/**
 * Cuts think blocks: from a tag at the start of a line, outside fences, to its closing tag. A closing tag without an
 * opening one ends a thought that began before the answer did (chat templates open it in the prompt). Lines of a diff
 * have a sign before their text, so that code about such tags stays.
 */
export function stripThoughts(answer: string): WithoutThoughts {
  const stray = STRAY_CLOSE.exec(answer)
  const opened = answer.split('\n').findIndex((line) => OPENS.test(line))
  const strayLine = stray === null ? -1 : answer.slice(0, stray.index).split('\n').length - 1
  const startsInside = stray !== null && (opened === -1 || strayLine < opened)
  const text = startsInside ? answer.slice(stray.index + stray[0].length) : answer
  const kept: string[] = []
  let cut = startsInside ? 1 : 0
  let closing: string | undefined
  let fence: string | undefined
  for (const line of text.split('\n')) {
    if (closing !== undefined) {
      const end = line.toLowerCase().indexOf(closing)
      if (end === -1) continue
      kept.push(line.slice(end + closing.length))
      closing = undefined
      continue
    }
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)
    if (mark?.[1]) {
      if (fence === undefined) fence = mark[1]
      else if (mark[1].startsWith(fence) && line.slice(mark[0].length).trim() === '') fence = undefined
    }
    const name = fence === undefined ? OPENS.exec(line)?.[1]?.toLowerCase() : undefined
    if (name === undefined) {
      kept.push(line)
      continue
    }
    cut++
    closing = `</${name}>`
    const end = line.toLowerCase().indexOf(closing)
    if (end === -1) continue
    kept.push(line.slice(end + closing.length))
    closing = undefined
  }
  return { text: kept.join('\n'), cut, open: closing !== undefined }
}
