/** Where the wrappers of languages/tools/ stand inside every sandbox; the runners bind them there. */
export const TOOLS = '/arena/tools'

/** The report folder of a run: the wrappers write below it, and do nothing without it. */
export const REPORTS_VARIABLE = 'ARENA_REPORTS'

/**
 * `step` in armed steps, `case` in `arena tests`: the wrappers drop stop-early flags. In a step they also end with 0, so
 * that every other test process of the step runs too; the true exit code is in the report.
 */
const ARMED_VARIABLE = 'ARENA_ARMED'
export const ARMED_STEP = { [ARMED_VARIABLE]: 'step' }
export const ARMED_CASE = { [ARMED_VARIABLE]: 'case' }
