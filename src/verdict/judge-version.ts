/**
 * Names the rules that decided a verdict. Raised with every change that can change one; cells are never keyed by it,
 * so that another judge decides the same stored cells again.
 */
export const JUDGE_VERSION = '2'
