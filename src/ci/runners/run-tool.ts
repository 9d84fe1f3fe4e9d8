import { spawn } from 'node:child_process'

export interface ToolResult {
  readonly exitCode: number | null
  readonly output: string
}

const CLEAN_ENV = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** Runs a trusted tool of the host with a clean environment; its output is for messages. A missing tool has exit code 127. */
export function runTool(
  file: string,
  args: readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly cwd?: string
    readonly timeoutMs?: number
  } = {},
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: { ...CLEAN_ENV, ...options.env },
      cwd: options.cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => resolve({ exitCode: 127, output: error.message }))
    child.on('close', (exitCode) =>
      resolve({ exitCode, output: Buffer.concat(chunks).toString('utf8').trim() }),
    )
  })
}
