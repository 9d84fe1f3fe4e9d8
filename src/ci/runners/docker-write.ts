import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { RunnerUnavailableError } from '../../errors.ts'
import type { FileChange } from '../../schema/tree.ts'
import { type ExecRequest, type ExecResult, IO_INSIDE, repoInside, type SandboxSpec } from './port.ts'

/** Reads triples of kind, path and content file, each ended by a NUL, from its argument. Removes what stands in the way. */
const SCRIPT = `
set -eu
shopt -s dotglob
parents() {
  local at=. part parts
  IFS=/ read -r -d '' -a parts < <(printf '%s\\0' "$1")
  unset 'parts[-1]'
  for part in "\${parts[@]}"; do
    at=$at/$part
    if [ -L "$at" ] || [ ! -d "$at" ]; then rm -f -- "$at"; mkdir -- "$at"; fi
  done
}
isBelowFolders() {
  local at=. part parts
  IFS=/ read -r -d '' -a parts < <(printf '%s\\0' "$1")
  unset 'parts[-1]'
  for part in "\${parts[@]}"; do
    at=$at/$part
    if [ -L "$at" ] || [ ! -d "$at" ]; then return 1; fi
  done
}
top=$2/
cd /home/runner
parents "\${top#/home/runner/}."
cd -- "$2"
while IFS= read -r -d '' kind && IFS= read -r -d '' path && IFS= read -r -d '' content; do
  if [ "$kind" = delete ]; then
    if isBelowFolders "$path"; then
      rm -rf -- "./$path"
      ( cd -- "$(dirname -- "./$path")" && while [ "$PWD" != "$2" ] && rmdir -- "$PWD" 2>/dev/null; do cd ..; done )
    fi
    continue
  fi
  parents "$path"
  rm -rf -- "./$path"
  case $kind in
    120000) IFS= read -r -d '' target < "$content" || true; ln -s -- "$target" "./$path" ;;
    100755) cp -- "$content" "./$path"; chmod 755 -- "./$path" ;;
    *) cp -- "$content" "./$path"; chmod 644 -- "./$path" ;;
  esac
done < "$1"
`

/**
 * Writes files from inside, as the sandbox's user: where the daemon alone sees the stack of layers. Same rules as writeTree.
 * `exec` must not take the sandbox's turn.
 */
export async function writeByScript(
  spec: SandboxSpec,
  changes: readonly FileChange[],
  exec: (request: ExecRequest) => Promise<ExecResult>,
): Promise<void> {
  const name = `write-${randomUUID()}`
  const folder = join(spec.io, name)
  await mkdir(folder)
  try {
    await chmod(folder, 0o755)
    const inside = (file: string): string => `${IO_INSIDE}/${name}/${file}`
    const triples: string[] = []
    for (const [index, change] of changes.entries()) {
      const isWrite = change.change === 'write'
      if (isWrite) await writeFile(join(folder, String(index)), Buffer.from(change.contentBase64, 'base64'))
      triples.push(isWrite ? change.mode : 'delete', change.path, inside(String(index)))
    }
    await writeFile(join(folder, 'list'), triples.map((text) => `${text}\0`).join(''))
    const repo = repoInside(spec.repoName)
    const end = await exec({
      argv: ['/bin/bash', '--noprofile', '--norc', '-c', SCRIPT, 'write', inside('list'), repo],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      cwd: '/',
      timeoutMs: 120_000,
      outputBytes: 4096,
    })
    if (end.exitCode === 0) return
    const words = end.output.toString('utf8').trim().split('\n').at(-1) ?? ''
    throw new RunnerUnavailableError(`files could not be written into the sandbox: ${words}`, { place: repo })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
