/** Diffs: signs and line numbers first, colour second. */
export const DIFF = `
.file{border:1px solid var(--line);border-radius:6px;margin:.75rem 0;overflow:hidden;background:var(--raise)}
.file h3{margin:0;padding:.5rem .9rem;font:600 .85rem var(--mono);background:var(--faint);border-bottom:1px solid var(--line)}
.file .facts{padding:.3rem .9rem;margin:0}
.file .scroll{margin:0;padding:0}
.diff{width:100%;font:.82rem/1.5 var(--mono);tab-size:4}
.diff td{padding:0 .6rem;vertical-align:top;unicode-bidi:isolate}
.diff .no{width:1%;min-width:2.6rem;text-align:right;color:var(--soft);user-select:none;padding:0 .4rem}
.diff .sign{width:1%;padding:0;user-select:none;white-space:pre}
.diff .code{white-space:pre;padding-left:.3rem}
.diff .added{background:var(--good-wash)}.diff .added .sign{color:var(--good)}
.diff .removed{background:var(--bad-wash)}.diff .removed .sign{color:var(--bad)}
.diff .note td,.diff .hunk td{color:var(--soft)}
.diff .hunk td{background:var(--faint);padding-top:.15rem;padding-bottom:.15rem}
.diff .kills{background:var(--tests-wash);box-shadow:inset 4px 0 var(--tests)}
.flag{display:inline-block;margin-left:1.5rem;padding:0 .5rem;border-radius:3px;background:var(--tests);color:var(--ground);font:600 .75rem/1.5 var(--sans)}
`
