/** What was typed and not sent yet, kept in this browser until it is. */

import { useCallback, useEffect, useState } from "react";

const PREFIX = "treadle.draft.";

/** Drafts that the browser has no room for: they last as long as the page does. */
const unkept = new Map<string, string>();

/** Drafts that are being sent: until it is known whether that was taken, they stay where they are. */
const held = new Set<string>();

type Watcher = (key: string, text: string) => void;

/** All that show a draft in this tab: a change of it reaches each of them. */
const watchers = new Set<Watcher>();

function read(key: string): string {
  return unkept.get(key) ?? localStorage.getItem(key) ?? "";
}

function keep(key: string, text: string): void {
  unkept.delete(key);
  if (text === "") {
    localStorage.removeItem(key);
    return;
  }
  try {
    localStorage.setItem(key, text);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    unkept.set(key, text);
  }
}

/** Keep a draft and all beside it from being moved; returns what lets go of it. */
export function holdDraft(name: string): () => void {
  const key = `${PREFIX}${name}`;
  held.add(key);
  return () => {
    held.delete(key);
    for (const notify of watchers) {
      notify(key, read(key));
    }
  };
}

/** Move a draft with what is kept beside it to a name that has none; tells whether it did. */
export function moveDraft(from: string, to: string, beside: readonly string[]): boolean {
  const keyOf = (name: string, part: string) => `${PREFIX}${name}${part}`;
  const parts = ["", ...beside];
  const isNeeded = parts.some((part) => read(keyOf(from, part)) !== "");
  const isFree = parts.every((part) => read(keyOf(to, part)) === "");
  if (!isNeeded || !isFree || held.has(keyOf(from, ""))) {
    return false;
  }
  for (const part of parts) {
    const text = read(keyOf(from, part));
    for (const [key, is] of [
      [keyOf(to, part), text],
      [keyOf(from, part), ""],
    ] as const) {
      keep(key, is);
      for (const notify of watchers) {
        notify(key, is);
      }
    }
  }
  return true;
}

/**
 * Return a draft, how it is changed, and nothing is lost by a reload; an empty one is forgotten.
 *
 * All that show the same draft, in this tab or another, follow what is typed here.
 */
export function useDraft(name: string): readonly [string, (text: string) => void] {
  const key = `${PREFIX}${name}`;
  const [saved, setSaved] = useState({ key, text: read(key) });
  const text = saved.key === key ? saved.text : read(key);
  const write = useCallback(
    (typed: string) => {
      keep(key, typed);
      setSaved({ key, text: typed });
      for (const notify of watchers) {
        notify(key, typed);
      }
    },
    [key],
  );
  useEffect(() => {
    const follow: Watcher = (changed, text) => {
      if (changed === key) {
        setSaved({ key, text });
      }
    };
    const receive = (event: StorageEvent) => follow(event.key ?? "", event.newValue ?? "");
    watchers.add(follow);
    const present = read(key); // it may have been moved here between the drawing and now
    setSaved((was) => (was.key === key && was.text === present ? was : { key, text: present }));
    window.addEventListener("storage", receive);
    return () => {
      watchers.delete(follow);
      window.removeEventListener("storage", receive);
    };
  }, [key]);
  return [text, write];
}
