/** Colours, type, and what is on every page. Both themes keep text at 4.5:1 or better against its ground. */
export const BASE = `
:root{
color-scheme:light dark;
--ground:#fbfbf9;--raise:#fff;--ink:#16181d;--soft:#565b66;--line:#dfe0dc;--faint:#efefeb;
--patch:#2451c7;--patch-wash:#e9eefb;--tests:#a34a00;--tests-wash:#fbeee2;
--good:#12693f;--good-wash:#e3f4e8;--bad:#b3222a;--bad-wash:#fcebea;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Liberation Sans",Arial,sans-serif;
--mono:ui-monospace,"SF Mono","Cascadia Code",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace
}
@media (prefers-color-scheme:dark){:root{
--ground:#111317;--raise:#181b21;--ink:#e9e9e4;--soft:#a0a5b0;--line:#2d3139;--faint:#1d2027;
--patch:#8fb0ff;--patch-wash:#1b2743;--tests:#f3a766;--tests-wash:#38240f;
--good:#74cf9b;--good-wash:#14301f;--bad:#ff9490;--bad-wash:#3b1a1c
}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:1rem}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 var(--sans);overflow-wrap:break-word}
.top,main,footer{max-width:72rem;margin:0 auto;padding:0 1.25rem}
.top{display:flex;align-items:center;justify-content:space-between;gap:1rem;padding-top:1.1rem;padding-bottom:1.1rem}
.brand{display:flex;align-items:center;gap:.6rem;color:var(--ink);font-weight:700;letter-spacing:-.01em;text-decoration:none}
.tiles{display:flex;gap:2px}
.top nav{display:flex;gap:1.25rem;font-size:.94rem}
.top nav a{color:var(--soft);text-decoration:none;padding:.2rem 0;border-bottom:2px solid transparent}
.top nav a:hover{color:var(--ink)}
.top nav a[aria-current]{color:var(--ink);border-color:currentColor}
a{color:inherit;text-decoration-color:color-mix(in srgb,currentColor 35%,transparent);text-underline-offset:.18em}
a:hover{text-decoration-color:currentColor}
:focus-visible{outline:2px solid var(--patch);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-100vw;top:0;background:var(--ink);color:var(--ground);padding:.6rem 1rem;z-index:2}
.skip:focus{left:0}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
main{padding-top:1.5rem;padding-bottom:4rem}
h1,h2,h3{line-height:1.2;text-wrap:balance;margin:0}
h1{font-size:clamp(1.75rem,4.5vw,2.6rem);font-weight:750;letter-spacing:-.03em}
h2{font-size:1.3rem;font-weight:700;letter-spacing:-.015em;margin:3.25rem 0 .75rem}
h3{font-size:.95rem;font-weight:650;margin:1.5rem 0 .5rem}
p{margin:.6rem 0}
code,pre{font-family:var(--mono);font-size:.86em}
small{font-size:.78rem;color:var(--soft);font-weight:400}
bdi{unicode-bidi:isolate}
.eyebrow{font:500 .8rem/1.4 var(--mono);color:var(--soft);margin:0 0 .6rem}
.lead{font-size:1.15rem;max-width:44rem}
.note{color:var(--soft);font-size:.92rem;max-width:46rem}
.facts{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;color:var(--soft);font-variant-numeric:tabular-nums}
.remarks{margin:1.5rem 0;padding:.15rem 0 .15rem 1rem;border-left:3px solid var(--ink);max-width:48rem}
.remarks p{margin:.3rem 0}
.patch{color:var(--patch)}.tests{color:var(--tests)}.good{color:var(--good)}.bad{color:var(--bad)}.dull{color:var(--soft)}
.message{max-width:40rem;padding:2rem 0}
.command{background:var(--faint);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;font-size:1rem;overflow-x:auto}
.command::before{content:"$ ";color:var(--soft)}
.prose{max-width:44rem}
.prose .scroll{margin-right:0}
.prose li{margin:.25rem 0}
footer::before{content:"";display:block;border-top:1px solid var(--line);padding-top:1.25rem}
footer{padding-bottom:2.5rem;color:var(--soft);font-size:.9rem}
footer nav a{margin-right:1rem}
@media print{.top nav,.skip,.jump,.filters{display:none}}
`
