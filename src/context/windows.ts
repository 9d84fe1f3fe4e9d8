const LINE_FEED = 10

/** Lines of a file, from 1; `end` is inclusive. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

/** Where each line begins, and after the last, where the file ends. A last line feed begins no line. */
export function lineStarts(bytes: Uint8Array): Uint32Array {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  if (bytes.length > 0 && bytes[bytes.length - 1] !== LINE_FEED) count++
  const starts = new Uint32Array(count + 1)
  let line = 0
  for (let at = 0; line < count; line++) {
    starts[line] = at
    const end = bytes.indexOf(LINE_FEED, at)
    at = end < 0 ? bytes.length : end + 1
  }
  starts[count] = bytes.length
  return starts
}

/** The file in windows of `size` lines that begin every `step` lines. The last one reaches the end, however little is left. */
export function windowsOf(lines: number, size: number, step: number): LineRange[] {
  const windows: LineRange[] = []
  for (let start = 1; start <= lines; start += step) {
    const isLast = start + size - 1 + Math.floor(step / 4) >= lines
    windows.push({ start, end: isLast ? lines : start + size - 1 })
    if (isLast) break
  }
  return windows
}
