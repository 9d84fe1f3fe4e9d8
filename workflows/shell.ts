interface Shell {
  /** How GitHub calls it; `{0}` is the script file. */
  readonly template: string
  readonly extension: string
}

/** The default differs from a named `bash`: no pipefail. */
const SHELLS: Readonly<Record<string, Shell>> = {
  default: { template: 'bash -e {0}', extension: '.sh' },
  bash: { template: 'bash --noprofile --norc -eo pipefail {0}', extension: '.sh' },
  sh: { template: 'sh -e {0}', extension: '.sh' },
  python: { template: 'python {0}', extension: '.py' },
  pwsh: { template: `pwsh -command ". '{0}'"`, extension: '.ps1' },
}

export type ShellCommand =
  | {
      readonly kind: 'shell'
      readonly argv: (scriptPath: string) => readonly string[]
      readonly extension: string
      /** The text of the script file. */
      readonly textOf: (script: string) => string
    }
  | { readonly kind: 'unsupported'; readonly reason: string }

/**
 * How a step's script is run. `shell`: as written, or null for the default; a text with `{0}` is a custom command line. Words
 * are split at white space and quotes are honoured, as the runner does. `hasPwsh`: whether PowerShell is at hand.
 */
export function shellCommand(shell: string | null, hasPwsh: boolean): ShellCommand {
  const known = SHELLS[shell ?? 'default']
  if ((shell === 'pwsh' && !hasPwsh) || shell === 'powershell' || shell === 'cmd')
    return { kind: 'unsupported', reason: `shell ${shell} is not at hand` }
  const template = shell?.includes('{0}') ? shell : known?.template
  if (template === undefined) return { kind: 'unsupported', reason: `unknown shell '${shell}'` }
  return {
    kind: 'shell',
    argv: (scriptPath) => splitWords(template).map((word) => word.replaceAll('{0}', scriptPath)),
    extension: known?.extension ?? '.sh',
    textOf: shell === 'pwsh' ? stoppingAtErrors : (script) => `${script}\n`,
  }
}

/** Also for a plan: why the shell cannot be used, or undefined. */
export function refusedShell(shell: string | null, hasPwsh: boolean): string | undefined {
  const command = shellCommand(shell, hasPwsh)
  return command.kind === 'unsupported' ? command.reason : undefined
}

/** PowerShell stops at errors and ends with the last command's exit code only when it is told to, as GitHub does. */
const stoppingAtErrors = (script: string): string =>
  `$ErrorActionPreference = 'stop'\n${script}\nif ((Test-Path -LiteralPath variable:\\LASTEXITCODE)) { exit $LASTEXITCODE }\n`

function splitWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map((word) => word[1] ?? word[2] ?? word[3] ?? '')
}
