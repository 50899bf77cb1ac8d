/**
 * The service worker: shows news while nobody looks at the page, and opens the card.
 *
 * It answers no request and keeps nothing, so that neither an old page nor an old answer is ever shown. Where the push
 * service gives the browser another address, it tells the engine.
 */

/** What a message says, as adapters/news/push.py writes it. */
interface News {
  readonly title: string;
  readonly text: string;
  readonly tag: string;
  readonly href: string;
}

interface PageWindow {
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface Lasting extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface Pushed extends Lasting {
  readonly data: { json(): unknown } | null;
}

interface Clicked extends Lasting {
  readonly notification: Notification;
}

/** Firefox and Safari say neither; the page tells the engine at its next visit then. */
interface Changed extends Lasting {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
}

/** What is used of a service worker's scope, whose types exclude those of pages. */
interface Scope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: object): Promise<readonly PageWindow[]>;
    openWindow(href: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install", listen: () => void): void;
  addEventListener(type: "push", listen: (event: Pushed) => void): void;
  addEventListener(type: "pushsubscriptionchange", listen: (event: Changed) => void): void;
  addEventListener(type: "notificationclick", listen: (event: Clicked) => void): void;
}

const scope = self as unknown as Scope;
const TEST = "treadle-test";

scope.addEventListener("install", () => void scope.skipWaiting());
scope.addEventListener("push", (event) => event.waitUntil(show(newsOf(event.data?.json()))));
scope.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
scope.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(hrefOf(event.notification.data)));
});

function windows(): Promise<readonly PageWindow[]> {
  return scope.clients.matchAll({ type: "window", includeUncontrolled: true });
}

/** Show a message; what somebody sees on the page already is shown and taken away, as browsers demand one of each. */
async function show({ title, text, tag, href }: News): Promise<void> {
  const isSeen = (await windows()).some((each) => each.visibilityState === "visible");
  const isQuiet = isSeen && tag !== TEST;
  const options = { body: text, tag, icon: "/icon-192.png", data: href, silent: isQuiet };
  await scope.registration.showNotification(title, options);
  if (isQuiet) {
    for (const each of await scope.registration.getNotifications({ tag })) {
      each.close();
    }
  }
}

async function open(href: string): Promise<void> {
  const [page] = await windows();
  if (page === undefined) {
    await scope.clients.openWindow(href);
    return;
  }
  page.postMessage({ open: href });
  await page.focus();
}

/** Subscribe again, and tell the engine, which goes on with the rules of the subscription before. */
async function renew({ oldSubscription: old, newSubscription }: Changed): Promise<void> {
  if (!old) {
    return;
  }
  const { pushManager } = scope.registration;
  const made = newSubscription ?? (await pushManager.subscribe(old.options));
  const { endpoint, keys } = made.toJSON();
  const { p256dh, auth } = keys ?? {};
  await fetch("/v1/push", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Treadle": "1" },
    body: JSON.stringify({ endpoint, p256dh, auth, replaces: old.endpoint }),
  });
}

function newsOf(found: unknown): News {
  const said = typeof found === "object" && found !== null ? (found as Partial<News>) : {};
  return {
    title: String(said.title ?? "Treadle"),
    text: String(said.text ?? ""),
    tag: String(said.tag ?? "treadle"),
    href: hrefOf(said.href),
  };
}

/** Return an address of the page itself, whatever a message says. */
function hrefOf(found: unknown): string {
  return typeof found === "string" && /^\/(?![/\\])/.test(found) ? found : "/";
}
