/** Where a patch changed most. Part of the version of the prompts that hold it: change both together. */
export const HINTS = {
  frame: `The patch changed these places most; they are shown as they are with the patch:

<changed>
{places}</changed>

`,
  place: '{path}, lines {start} to {end} ({changed} changed)\n{lines}',
} as const
