/** Where the wrappers of languages/tools/ stand inside every sandbox; the runners bind them there. */
export const TOOLS = '/arena/tools'

/** The report folder of a run: the wrappers write below it, and do nothing without it. */
export const REPORTS_VARIABLE = 'ARENA_REPORTS'

/** Set to 1 in armed steps and in `arena tests`: the wrappers drop stop-early flags. */
export const ARMED_VARIABLE = 'ARENA_ARMED'
