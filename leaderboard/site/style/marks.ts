/**
 * The marks of verdicts. Colour says the side, the sign says whether the patch survives (check) or is killed (cross), and an
 * outline instead of a filled tile says that it was by forfeit.
 */
export const MARKS = `
.m{display:inline-block;position:relative;flex:none;width:1.25rem;height:1.25rem;border-radius:4px;border:1.5px solid var(--c);color:var(--s);vertical-align:-.25rem;forced-color-adjust:none}
.m::before{content:"";position:absolute;inset:22%;background:currentColor}
.sw,.rf{--c:var(--patch)}.rw,.sf{--c:var(--tests)}.nc,.vo{--c:var(--soft)}
.m.sw,.m.rw{background:var(--c);--s:var(--ground)}
.m.rf,.m.sf,.m.nc,.m.vo{--s:var(--c)}
.m.sw::before,.m.rf::before{clip-path:polygon(0 54%,14% 38%,37% 60%,86% 8%,100% 22%,38% 90%)}
.m.rw::before,.m.sf::before{clip-path:polygon(0 16%,16% 0,50% 34%,84% 0,100% 16%,66% 50%,100% 84%,84% 100%,50% 66%,16% 100%,0 84%,34% 50%)}
.m.nc::before{inset:44% 22%}
.m.vo{border-style:dashed}.m.vo::before{display:none}
.m.none{border-color:transparent}.m.none::before{inset:44%;border-radius:50%;color:var(--line)}
.tag{display:inline-flex;align-items:center;vertical-align:bottom;gap:.45rem;font-weight:600;white-space:nowrap}
.balance{display:block;width:100%;height:.9rem;border-radius:3px}
.balance rect{fill:var(--c)}
.balance .rf,.balance .sf{fill:color-mix(in srgb,var(--c) 45%,var(--ground))}
.balance .vo{fill:var(--line)}
.legend{list-style:none;margin:1rem 0 0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(19rem,100%),1fr));gap:.7rem 1.5rem}
.legend li{display:flex;gap:.6rem;line-height:1.35}
.legend b{font-variant-numeric:tabular-nums}
.legend small{display:block}
`
