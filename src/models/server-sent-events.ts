/** Splits the bytes of an event stream into the data of its events, however they are cut into pieces. */
export interface EventSplitter {
  /** Data of the events that these bytes complete. */
  push(bytes: Uint8Array): readonly string[]
  /** Data of an event that the end of the stream completes. */
  end(): readonly string[]
}

export function createEventSplitter(): EventSplitter {
  // Characters may be cut between two pieces: the decoder keeps the rest.
  const decoder = new TextDecoder()
  let pending = ''
  let data: string[] = []
  const takeLine = (line: string): readonly string[] => {
    if (line === '') {
      const complete = data.length === 0 ? [] : [data.join('\n')]
      data = []
      return complete
    }
    // Some servers put no blank line between events: each of their data lines is an event, since JSON has no line break.
    if (line.startsWith('data:')) {
      const complete = data.length === 0 ? [] : [data.join('\n')]
      data = [line.slice(5).replace(/^ /, '')]
      return complete
    }
    return []
  }
  const takeText = (text: string): readonly string[] => {
    if (!text.includes('\n')) {
      pending += text
      return []
    }
    const lines = (pending + text).split('\n')
    pending = lines.pop() ?? ''
    return lines.flatMap((line) => takeLine(line.replace(/\r$/, '')))
  }
  return {
    push: (bytes) => takeText(decoder.decode(bytes, { stream: true })),
    end: () => [...takeText(`${decoder.decode()}\n`), ...takeLine('')],
  }
}
