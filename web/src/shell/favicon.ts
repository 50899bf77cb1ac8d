/** The tab's icon with the count of what waits, as an address that holds the whole picture. */

const LOOM =
  "<path d='M8 10h16M16 10v13M9 23h14' stroke='#fff' stroke-width='3.4' " +
  "stroke-linecap='round' fill='none'/>";

/** Return the icon; nothing waiting is the icon alone. */
export function faviconOf(waiting: number): string {
  const text = waiting > 99 ? "99+" : String(waiting);
  const badge =
    waiting === 0
      ? ""
      : "<circle cx='21' cy='11' r='11' fill='#b3261e'/>" +
        `<text x='21' y='16' font-family='sans-serif' font-size='${text.length > 2 ? 11 : 15}' ` +
        `font-weight='700' fill='#fff' text-anchor='middle'>${text}</text>`;
  const svg =
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'>" +
    `<rect width='32' height='32' rx='7' fill='#1c6b63'/>${LOOM}${badge}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
