/** Why a script cannot work in a sandbox without network and without root, where that is plain from its text. */
export function refusedScript(script: string): string | undefined {
  const packages =
    /(?:^|[;&|(\n])[ \t]*(?:sudo[ \t]+(?:-E[ \t]+)?)?(apt-get|apt|dnf|yum|apk|brew)[ \t][^\n]*\b(install|add)\b/
  const tool = packages.exec(script)?.[1]
  return tool === undefined ? undefined : `${tool} installs packages, which needs root and the network`
}
