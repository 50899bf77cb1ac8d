/** What a subscription is made of; pure. */

/** Return the bytes of a key in Base64 for URLs. */
export function keyBytes(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Say which browser on which system has such a user agent, as in `Firefox on Linux`. */
export function browserName(userAgent: string): string {
  const named = (table: readonly (readonly [string, string])[], none: string) =>
    table.find(([mark]) => userAgent.includes(mark))?.[1] ?? none;
  return `${named(BROWSERS, "A browser")} on ${named(SYSTEMS, "another system")}`;
}
