/** Desktop notifications: asked for after the first gate, shown only while nobody looks. */

import { useSyncExternalStore } from "react";
import { isReading } from "@/api/events/connection";
import { withMarks } from "@/ui/suspicious_text";

/** What a desktop notification says; a newer one of the same `tag` takes its place. */
export interface Notice {
  readonly tag: string;
  readonly title: string;
  readonly text: string;
  readonly href: string;
}

const WANTED = "treadle.notifications";
const OFFERED = "treadle.notifications.offered";
const VISIBLE = "treadle-visible";

const watchers = new Set<() => void>();

/** Whether notifications are on, off, to be offered now, not offered yet, or refused by the browser. */
export type DesktopState = "on" | "off" | "offer" | "later" | "denied" | "impossible";

function state(): DesktopState {
  if (!("Notification" in globalThis)) {
    return "impossible";
  }
  if (Notification.permission === "denied") {
    return "denied";
  }
  const wanted = localStorage.getItem(WANTED);
  if (wanted === "on" && Notification.permission === "granted") {
    return "on";
  }
  if (wanted === null) {
    return localStorage.getItem(OFFERED) === null ? "later" : "offer";
  }
  return "off";
}

function report(): void {
  for (const each of watchers) {
    each();
  }
}

/** How notifications stand in this browser. */
export function useDesktop(): DesktopState {
  return useSyncExternalStore(watch, state);
}

/** What another tab decides counts here, too. */
function watch(each: () => void): () => void {
  watchers.add(each);
  window.addEventListener("storage", each);
  return () => {
    watchers.delete(each);
    window.removeEventListener("storage", each);
  };
}

/** A gate was closed for the first time: from now on the inbox offers notifications. */
export function offerDesktop(): void {
  if (localStorage.getItem(OFFERED) === null) {
    localStorage.setItem(OFFERED, "yes");
    report();
  }
}

/** Switch notifications on or off; on asks the browser, which needs the person's click. */
export async function setDesktop(isOn: boolean): Promise<void> {
  if (isOn && "Notification" in window && Notification.permission === "default") {
    await Notification.requestPermission();
  }
  localStorage.setItem(WANTED, isOn ? "on" : "off");
  report();
}

/** Hold a shared lock while this tab is seen, so that hidden tabs know that somebody looks. */
export function holdVisible(): () => void {
  let release: (() => void) | null = null;
  const note = () => {
    if (document.hidden) {
      release?.();
      release = null;
    } else if (release === null && "locks" in navigator) {
      const gone = new Promise<void>((resolve) => {
        release = resolve;
      });
      void navigator.locks.request(VISIBLE, { mode: "shared" }, () => gone);
    }
  };
  note();
  document.addEventListener("visibilitychange", note);
  return () => {
    document.removeEventListener("visibilitychange", note);
    release?.();
    release = null;
  };
}

async function isSeen(): Promise<boolean> {
  if (!document.hidden || !("locks" in navigator)) {
    return !document.hidden;
  }
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === VISIBLE);
}

/** Show notices, in one tab of all, if they are on and no tab is seen; a click lands on the card. */
export async function notify(
  notices: readonly Notice[],
  open: (href: string) => void,
): Promise<void> {
  if (state() !== "on" || notices.length === 0 || !isReading() || (await isSeen())) {
    return;
  }
  for (const { tag, title, text, href } of notices) {
    const shown = new Notification(withMarks(title), { tag, body: withMarks(text) });
    shown.onclick = () => {
      window.focus();
      open(href);
      shown.close();
    };
  }
}
