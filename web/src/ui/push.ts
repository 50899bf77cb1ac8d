/** News that reach this browser while the page is closed: its subscription, and who knows of it. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { get, newCommandId, Problem, post, type Schemas } from "@/api/client";
import { browserName, keyBytes } from "@/ui/push_parts";
import { NEWS_WORKER, trustedScript } from "@/ui/scripts";

const OWN = "treadle.push";
const ENDPOINT = "treadle.push.endpoint";

/** Whether this browser can take news while the page is closed. */
export function canPush(): boolean {
  return (
    "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis
  );
}

/** The id of this browser's subscription, as the engine knows it; null where it has none. */
function ownPush(): string | null {
  return localStorage.getItem(OWN);
}

/** The person's browsers, and which of them is this one; asked only where it matters, unless `always`. */
export function usePushes({ always = false } = {}) {
  return useQuery({
    queryKey: ["pushes"],
    queryFn: async () => ({ ...(await get("/v1/push")), own: ownPush() }),
    enabled: always || ownPush() !== null,
  });
}

/** Whether news reach this browser by push, so that the page must not tell them, too. */
export function useIsPushed(): boolean {
  const { data } = usePushes();
  return (
    ownPush() !== null && (data?.browsers.some((each) => each.subscription_id === data.own) ?? true)
  );
}

/** Go where a clicked notification leads. */
export function useOpenedNews(go: (href: string) => void): void {
  useEffect(() => {
    if (!("serviceWorker" in navigator)) {
      return;
    }
    const open = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === "object" && data !== null && "open" in data) {
        go(String(data.open));
      }
    };
    const { serviceWorker } = navigator;
    serviceWorker.addEventListener("message", open);
    serviceWorker.startMessages();
    return () => serviceWorker.removeEventListener("message", open);
  }, [go]);
}

/** Why a browser could not be subscribed, in words. */
export class PushRefused extends Error {}

/** Subscribe this browser, which needs the person's click, and tell the engine. */
export async function subscribe(
  publicKey: string,
  rules: Schemas["PushRulesBody"],
): Promise<Schemas["PushView"]> {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new PushRefused("Notifications are blocked for this site in the browser's settings.");
  }
  await navigator.serviceWorker.register(trustedScript(NEWS_WORKER), { updateViaCache: "none" });
  const { pushManager } = await navigator.serviceWorker.ready;
  return tell(await made(pushManager, publicKey), {
    browser: browserName(navigator.userAgent),
    rules,
  });
}

async function tell(
  found: PushSubscription,
  more: Partial<Pick<Schemas["PushBody"], "browser" | "rules" | "replaces">>,
): Promise<Schemas["PushView"]> {
  const { endpoint = "", keys } = found.toJSON();
  const { p256dh = "", auth = "" } = keys ?? {};
  const command_id = newCommandId();
  const { browser = "", replaces = "", rules = null } = more;
  const sent = { command_id, endpoint, p256dh, auth, browser, replaces, rules };
  const view = await post("/v1/push", {}, sent);
  localStorage.setItem(OWN, view.subscription_id);
  localStorage.setItem(ENDPOINT, endpoint);
  return view;
}

/** Tell the engine where the browser has another subscription than it had, or none any more. */
export function useKeptPush(): void {
  const queries = useQueryClient();
  useEffect(() => {
    void keep().then(async (isChanged) => {
      if (isChanged) {
        await queries.invalidateQueries({ queryKey: ["pushes"] });
      }
    });
  }, [queries]);
}

async function keep(): Promise<boolean> {
  const replaces = localStorage.getItem(ENDPOINT);
  if (!canPush() || ownPush() === null || replaces === null) {
    return false;
  }
  const registration = await navigator.serviceWorker.getRegistration();
  const found = (await registration?.pushManager.getSubscription()) ?? null;
  if (found?.endpoint === replaces) {
    return false;
  }
  try {
    await (found === null ? unsubscribe() : tell(found, { replaces }));
  } catch (error) {
    if (error instanceof Problem && error.status === 404) {
      await unsubscribe(); // nobody knows its rules any more
    }
  }
  return true;
}

async function made(pushManager: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: keyBytes(publicKey) };
  try {
    return await pushManager.subscribe(options);
  } catch (error) {
    const earlier = await pushManager.getSubscription();
    if (earlier === null) {
      const why = error instanceof Error ? error.message : "no reason was given";
      throw new PushRefused(`The browser's push service did not take it: ${why}`);
    }
    await earlier.unsubscribe(); // one with the key of another engine, or of before
    return pushManager.subscribe(options);
  }
}

/** End this browser's subscription, there and here; nothing where it has none. */
export async function unsubscribe(): Promise<void> {
  const subscription = ownPush();
  if (subscription === null) {
    return;
  }
  localStorage.removeItem(OWN);
  localStorage.removeItem(ENDPOINT);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await post("/v1/push/{subscription}/remove", { subscription }, { command_id: newCommandId() });
}
