const INSTALLS =
  /(?:^|[;&|(\n])[ \t]*(?:sudo[ \t]+(?:-E[ \t]+)?)?(apt-get|apt|dnf|yum|apk|brew)[ \t][^\n]*\b(install|add)\b/

/**
 * Why a script cannot work in a sandbox, where that is plain from its text. `fetches`: whether there is a warm phase, in which
 * apt-get finds what the machine has installed.
 */
export function refusedScript(script: string, fetches: boolean): string | undefined {
  const tool = INSTALLS.exec(script)?.[1]
  if (tool === undefined || (fetches && tool.startsWith('apt'))) return undefined
  return `${tool} installs packages, which needs root and the network`
}
