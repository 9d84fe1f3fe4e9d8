/** The page of a round. */
export const ROUND = `
.verdict h1{margin:.75rem 0 .5rem;max-width:52rem;font-size:clamp(1.5rem,3.6vw,2.15rem)}
.verdict ul{margin:.75rem 0;padding-left:1.2rem;max-width:52rem}
.sides{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem;margin:1.5rem 0 .75rem}
.sides>div{border-top:4px solid currentColor;background:var(--raise);padding:.8rem 1rem;border-radius:0 0 6px 6px}
.sides dt{font-size:.85rem}
.sides dd{margin:0;display:flex;justify-content:space-between;flex-wrap:wrap;gap:.25rem 1rem;color:var(--ink);font-size:1.1rem;font-weight:600}
.sides b{font-variant-numeric:tabular-nums;white-space:nowrap}
.jump{display:flex;flex-wrap:wrap;gap:.3rem 1.25rem;margin-top:1.75rem;padding:.7rem 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line);font-size:.92rem}
.of-patch h2{color:var(--patch)}.of-tests h2{color:var(--tests)}
.excerpt,.facts+pre,pre.facts,.failing pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0;line-height:1.5}
.excerpt{background:var(--raise);border:1px solid var(--line);border-radius:6px;padding:1rem;max-height:32rem;overflow:auto}
pre.facts{display:block;color:var(--soft);font-size:.8rem;padding:.3rem 0}
.count{font:600 .92rem var(--mono)}
details{margin:.75rem 0}
details details{margin-left:1rem}
summary{cursor:pointer;padding:.2rem 0}
.cell{border-top:1px solid var(--line);margin:0}
.cell:last-of-type{border-bottom:1px solid var(--line)}
.cell>summary{display:grid;grid-template-columns:1rem minmax(9rem,15rem) minmax(0,1fr) auto;gap:.25rem 1rem;padding:.6rem 0;align-items:baseline;list-style:none}
.cell>summary::-webkit-details-marker{display:none}
.cell>summary::before{content:"▸";color:var(--soft)}
.cell[open]>summary::before{content:"▾"}
.cell>summary:hover{background:var(--faint)}
.cell>summary span{color:var(--soft);font-size:.92rem}
.cell[open]{padding-bottom:1.25rem}
.leg h3{margin:0}
.leg{margin:1.25rem 0;padding-left:1rem;border-left:2px solid var(--line)}
.out{white-space:nowrap;font-weight:600;font-size:.9rem}
.outs{white-space:nowrap}
.outs .out{margin-right:.3rem}
.limits{list-style:none;margin:.75rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem 1.25rem;font-size:.85rem}
.limits b{font-weight:500;color:var(--soft)}
.limits .bad b,.limits .bad small{color:inherit}
.failing,.sentinels,.notes{padding-left:1.2rem;font-size:.94rem}
.failing pre{max-height:14rem;overflow:hidden}
.digests{margin:0}
.digests{overflow-wrap:anywhere}
.digests div{display:grid;grid-template-columns:7rem minmax(0,1fr);gap:1rem;padding:.35rem 0;border-bottom:1px solid var(--line)}
.digests dt{color:var(--soft)}
.digests dd{margin:0}
.killed{background:var(--tests-wash)}
@media (max-width:40rem){
.sides{grid-template-columns:minmax(0,1fr);gap:.6rem}
.cell>summary{grid-template-columns:1rem minmax(0,1fr) auto}
.cell>summary span:nth-of-type(1){grid-column:2/-1;grid-row:2}
.digests div{grid-template-columns:minmax(0,1fr);gap:0}
details details{margin-left:.4rem}
}
`
