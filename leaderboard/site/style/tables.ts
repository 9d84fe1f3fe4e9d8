/** Standings, cross table, plain tables, filters. */
export const TABLES = `
.scroll{overflow-x:auto;margin:0 -1.25rem;padding:2px 1.25rem;position:relative}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600}
thead th,thead td{font-size:.8rem;font-weight:600;color:var(--soft);vertical-align:bottom;line-height:1.3}
th small,td small{display:block}
.n{text-align:right;white-space:nowrap}
.standings{width:100%;min-width:60rem}
.standings th[scope=row]{min-width:9rem;max-width:16rem}
.standings thead th,.standings thead td{padding:0 .5rem .5rem;border-bottom:2px solid var(--ink)}
.standings thead .patch{color:var(--patch)}.standings thead .tests{color:var(--tests)}
.standings td,.standings tbody th{padding:.6rem .5rem;border-bottom:1px solid var(--line);vertical-align:middle;line-height:1.3}
.standings tr>:first-child{padding-left:0}
.standings .id{display:block}
@media (max-width:48rem){.standings th[scope=row]{position:sticky;left:0;background:var(--ground);max-width:9.5rem;z-index:1}}
.standings tr>:last-child{padding-right:0}
.standings tbody th a{text-decoration:none}
.standings tbody th a:hover{text-decoration:underline}
.standings tbody tr:hover{background:var(--faint)}
.standings .rank{font-size:1.2rem;font-weight:700}
.state{font:600 .72rem var(--mono);color:var(--soft);border:1px solid var(--line);border-radius:3px;padding:0 .3rem;white-space:nowrap}
.standings .points{font-size:1.2rem;font-weight:700}
.standings td.plot{padding-left:0;padding-right:.5rem}
.axis,.whisker{display:block}
.axis text{font:10px var(--mono);fill:var(--soft);text-anchor:middle}
.whisker .grid{stroke:var(--line);fill:none}
.whisker .span{stroke:var(--ink);stroke-width:1.5;fill:none}
.whisker circle{fill:var(--ink);stroke:var(--ground);stroke-width:1.5}
.provisional .whisker circle{fill:var(--ground);stroke:var(--ink)}
.cross thead th{max-width:7.5rem;text-align:center;padding:.3rem .5rem .5rem;white-space:normal;color:var(--ink)}
.cross thead td{padding-right:1rem;white-space:nowrap}
.cross tbody th{padding:.4rem 1rem .4rem 0;max-width:14rem;position:sticky;left:0;background:var(--ground);font-size:.94rem}
.cross td{border:1px solid var(--line);padding:.35rem;text-align:center}
.cross thead td{border:0;text-align:left}
.cross td.total,.cross tfoot td{border:0;padding:.35rem .8rem;color:var(--soft);font-size:.94rem;white-space:nowrap}
.cross .total b{color:var(--ink)}
.cross thead th.total{color:var(--soft);text-align:center;padding-left:.8rem}
.cross tfoot th{color:var(--soft);padding:.5rem 1rem .4rem 0;font-weight:600;font-size:.8rem}
.cross .self{background:repeating-linear-gradient(135deg,var(--line) 0 1px,transparent 1px 7px)}
.quarters{display:inline-grid;grid-template-columns:repeat(2,auto);gap:3px;vertical-align:middle}
.quarters a.m{width:1.5rem;height:1.5rem;font-size:0}
.quarters a.m:hover{box-shadow:0 0 0 2px var(--ground),0 0 0 3.500px var(--c)}
.key{font:600 .68rem/1 var(--mono)}
.key i{font-style:normal;width:1.6rem;padding:.25rem 0;text-align:center;border:1px solid var(--line);border-radius:4px;color:var(--ink)}
.plain{width:100%}
.plain th,.plain td{padding:.45rem 1.1rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.plain th:last-child,.plain td:last-child{padding-right:0}
.plain thead th{border-bottom:2px solid var(--ink);padding-bottom:.35rem;white-space:nowrap}
.plain tbody th{font-weight:500;min-width:10rem}
.judged td:last-child{min-width:11rem}
.under{margin-top:.9rem}
.tasks{list-style:none;padding:0;margin:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(16rem,100%),1fr));gap:.5rem 1.5rem}
.tasks li{display:flex;gap:.75rem;align-items:baseline}
.lang{font:500 .8rem var(--mono);color:var(--soft);min-width:3.8rem}
.filters{display:flex;flex-wrap:wrap;gap:.9rem;align-items:end;margin:1.5rem 0 1rem}
.filters label{display:flex;flex-direction:column;gap:.2rem;font-size:.8rem;color:var(--soft);max-width:100%}
.filters select,.filters button{font:inherit;font-size:.94rem;color:var(--ink);background:var(--raise);border:1px solid var(--line);border-radius:5px;padding:.4rem .6rem;min-height:2.4rem;max-width:100%}
.filters button{background:var(--ink);color:var(--ground);border-color:var(--ink);padding:.4rem 1.1rem;cursor:pointer}
.pages{display:flex;gap:1.25rem;margin-top:1.25rem;color:var(--soft)}
`
