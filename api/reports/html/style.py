"""The style of the report's page: light and dark, wide and narrow, on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --ground: #fbfbfa; --card: #ffffff; --ink: #1c1f23; --soft: #5d6670; --line: #e2e4e7;
  --track: #eceef0; --main: #2f6fd0; --bad: #cf4f23; --warm: #b7860b; --idle: #9299a1;
  --other: #7a62c9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181b; --card: #1c2024; --ink: #e7e9eb; --soft: #a0a8b0; --line: #30363c;
    --track: #2a3035; --main: #6ea3f2; --bad: #f0835a; --warm: #dcb14a; --idle: #79818a;
    --other: #a896ec;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
main { max-width: 66rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.05rem; margin: 0 0 .2rem; }
h3 { font-size: .9rem; margin: 1.4rem 0 .3rem; }
p { margin: 0; }
header { margin-bottom: 1.6rem; }
.soft, .note { color: var(--soft); }
.note { font-size: .85rem; margin-bottom: .9rem; max-width: 46rem; }
.tiles { display: grid; grid-template-columns: repeat(3, 1fr); gap: .8rem; margin: 0 0 1rem; }
.tiles.many { grid-template-columns: repeat(4, 1fr); }
.tile, section { background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.tile { padding: .9rem 1rem; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.25; font-weight: 650; }
.tile span { font-size: .82rem; color: var(--soft); }
.tile .what { display: block; color: var(--ink); }
section { padding: 1.2rem 1.3rem 1.3rem; margin-bottom: 1rem; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; padding: .38rem .9rem .38rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
th { font-weight: 500; color: var(--soft); font-size: .8rem; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
td.number, th.number { text-align: right; white-space: nowrap; }
td:last-child, th:last-child { padding-right: 0; }
td.name { width: 24%; min-width: 8rem; overflow-wrap: anywhere; }
td.cause { min-width: 12rem; overflow-wrap: anywhere; }
td.bar { width: 26%; min-width: 7rem; }
td.words, .told { font-size: .82rem; color: var(--soft); }
.told { display: block; margin-top: .25rem; }
svg { display: block; width: 100%; overflow: visible; }
svg text { fill: var(--soft); font-size: 11px; }
.grid { stroke: var(--line); stroke-width: 1; }
.track { fill: var(--track); }
.main { fill: var(--main); } .bad { fill: var(--bad); } .warm { fill: var(--warm); }
.idle { fill: var(--idle); } .other { fill: var(--other); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .82rem; color: var(--soft); margin: .5rem 0 0; padding: 0; list-style: none; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.legend svg { width: 10px; height: 10px; }
.columns { margin-top: .8rem; }
footer { color: var(--soft); font-size: .8rem; margin-top: 1.5rem; }
@media (max-width: 40rem) {
  main { padding: 1.4rem .8rem 2rem; }
  section { padding: 1rem .9rem; }
  .tiles, .tiles.many { grid-template-columns: repeat(2, 1fr); }
  td.bar { min-width: 5.5rem; }
}
@media print {
  @page { margin: 14mm; }
  :root {
    color-scheme: light;
    --ground: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #ccc; --track: #eee;
    --main: #2f6fd0; --bad: #cf4f23; --warm: #b7860b; --idle: #888; --other: #7a62c9;
  }
  body { font-size: 9pt; line-height: 1.35; }
  main { max-width: none; padding: 0 1px; }
  h1 { font-size: 15pt; }
  svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  header { margin-bottom: .8rem; }
  .tiles { gap: .5rem; margin-bottom: .8rem; }
  .tile { padding: .5rem .7rem; break-inside: avoid; }
  .tile b { font-size: 12pt; }
  section { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: .7rem 0 0; }
  .note { margin-bottom: .4rem; }
  th, td { padding: .22rem .7rem .22rem 0; }
  td.name { width: 30%; }
  td.bar { width: 18%; min-width: 0; }
  td.words { min-width: 6rem; }
  tr, .columns { break-inside: avoid; }
  h2, h3, .note, thead { break-after: avoid; }
  .wide { overflow: visible; }
}
"""
