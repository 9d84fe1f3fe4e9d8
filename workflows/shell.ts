/** How GitHub calls each shell; `{0}` is the script file. The default differs from a named `bash`: no pipefail. */
const TEMPLATES: Readonly<Record<string, string>> = {
  default: 'bash -e {0}',
  bash: 'bash --noprofile --norc -eo pipefail {0}',
  sh: 'sh -e {0}',
  python: 'python {0}',
}

export type ShellCommand =
  | { readonly kind: 'argv'; readonly argv: readonly string[]; readonly extension: string }
  | { readonly kind: 'unsupported'; readonly reason: string }

/**
 * The command for a step's script. `shell`: as written, or null for the default; a text with `{0}` is a custom command line.
 * Words are split at white space and quotes are honoured, as the runner does.
 */
export function shellCommand(shell: string | null, scriptPath: string): ShellCommand {
  const template = shell?.includes('{0}') ? shell : TEMPLATES[shell ?? 'default']
  if (shell === 'pwsh' || shell === 'powershell' || shell === 'cmd') {
    return { kind: 'unsupported', reason: `shell ${shell} is not at hand` }
  }
  if (template === undefined) return { kind: 'unsupported', reason: `unknown shell '${shell}'` }
  const argv = splitWords(template).map((word) => word.replaceAll('{0}', scriptPath))
  return { kind: 'argv', argv, extension: shell === 'python' ? '.py' : '.sh' }
}

/** Also for a plan: why the shell cannot be used, or undefined. */
export function refusedShell(shell: string | null): string | undefined {
  const command = shellCommand(shell, 'script')
  return command.kind === 'unsupported' ? command.reason : undefined
}

function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((word) => word[1] ?? word[2] ?? word[3] ?? '')
}
