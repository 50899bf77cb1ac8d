/** Servers beside the page: browsers send a session to every port of its host, and so to an agent's server. Pure. */

/** Where the page is: a part of `window.location`. */
export type Place = Pick<Location, "host" | "hostname" | "protocol">;

const LOOPBACK = /(^|\.)localhost$|^127\.|^\[::1\]$/;

/** Return where a task's server is opened: at no name to which a browser sends the session of the page. */
export function serverUrl(port: number, page: Place = window.location): string {
  const here = page.hostname === "localhost" ? "127.0.0.1" : "localhost";
  return `http://${isSecure(page) ? page.hostname : here}:${port}/`;
}

/** Tell whether a browser that opens an address sends a session of the page, or of the UI of Temporal, to another server. */
export function takesSession(href: string, page: Place = window.location): boolean {
  if (!URL.canParse(href)) {
    return false;
  }
  const url = new URL(href);
  const isOurs = url.hostname === page.hostname || url.hostname.endsWith(`.${page.hostname}`);
  const isBeside = isOurs && url.port !== new URL(`${page.protocol}//${page.host}`).port;
  return isBeside && (url.protocol === "https:" || !isSecure(page));
}

/** Whether the session is kept to HTTPS: on this machine, browsers send such a cookie without it as well. */
function isSecure(page: Place): boolean {
  return page.protocol === "https:" && !LOOPBACK.test(page.hostname);
}
