import { BASE } from './style/base.ts'
import { DIFF } from './style/diff.ts'
import { MARKS } from './style/marks.ts'
import { ROUND } from './style/round.ts'
import { TABLES } from './style/tables.ts'

/** One file for all pages. Text in a module, so that it is found in source and in a bundle alike. */
export const STYLESHEET = [BASE, MARKS, TABLES, ROUND, DIFF].join('\n')

/** The two marks that decide a round, side by side. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#2451c7" d="M4 3h12v26H4a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z"/><path fill="#a34a00" d="M16 3h12a3 3 0 0 1 3 3v20a3 3 0 0 1-3 3H16z"/><path fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M4.5 16.5l3 3.5 5-8M20 12.500l7 7m0-7l-7 7"/></svg>`
