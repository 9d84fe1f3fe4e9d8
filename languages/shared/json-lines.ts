import { z } from 'zod'
import type { ReportFiles } from '../adapter.ts'

/** TestResult's own cap. */
const MESSAGE_CHARACTERS = 4096

/** The end of a message, where tools say what failed, cut to what a result holds. */
export const cutMessage = (text: string): string =>
  text.length <= MESSAGE_CHARACTERS ? text : text.slice(text.length - MESSAGE_CHARACTERS)

/** The lines that are JSON of the given shape; others, also a last line cut in the middle, are passed over. */
export function parseJsonLines<T>(text: string, shape: z.ZodType<T>): T[] {
  return text.split('\n').flatMap((line) => {
    const value = parseJsonText(line)
    const parsed = value === undefined ? undefined : shape.safeParse(value)
    return parsed?.success ? [parsed.data] : []
  })
}

/** Undefined for text that is not JSON: reports are written by hostile code. */
export function parseJsonText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ExitRecord = z.object({ code: z.number().int().nullable(), signal: z.string().nullable() })

export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** There is a record and it is none that the parent writes: somebody else has written it. */
  readonly isBroken: boolean
}

/** How a process ended, as its parent wrote it; unknown (both null) where the parent did not get that far. */
export function parseExit(bytes: Buffer | undefined): Exit {
  const parsed = ExitRecord.safeParse(parseJsonText(bytes?.toString('utf8') ?? ''))
  if (parsed.success) return { ...parsed.data, isBroken: false }
  return { code: null, signal: null, isBroken: bytes !== undefined }
}

/** Report files by their folder directly below `kind`: one folder a process, names sorted as numbers where they are. */
export function reportFolders(
  files: ReportFiles,
  kind: string,
): readonly { readonly name: string; readonly file: (name: string) => Buffer | undefined }[] {
  const names = new Set<string>()
  for (const path of files.keys()) {
    const [top, folder, file] = path.split('/')
    if (top === kind && folder !== undefined && file !== undefined) names.add(folder)
  }
  const byNumber = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true })
  return [...names].sort(byNumber).map((name) => ({
    name,
    file: (file) => files.get(`${kind}/${name}/${file}`),
  }))
}
