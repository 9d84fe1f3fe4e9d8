import { spawnSync } from 'node:child_process'

const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** Whether rounds of a Python task can be played here. */
export const canPlayPython = (): boolean =>
  works('bwrap', '--version') && works('python3', '-c', 'import pytest')
