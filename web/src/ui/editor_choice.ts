/** What this browser remembers of editors: which one, and how its person reaches hosts by ssh. */

import { useSyncExternalStore } from "react";
import { type Editor, isEditor } from "@/ui/editors";

const CHOSEN = "treadle.editor";
const REACHED = "treadle.ssh.";

const watchers = new Set<() => void>();

/** The editor that was chosen; null before the first time. */
export function chosenEditor(): Editor | null {
  const name = localStorage.getItem(CHOSEN);
  return isEditor(name) ? name : null;
}

/** Remember an editor. */
export function chooseEditor(editor: Editor): void {
  localStorage.setItem(CHOSEN, editor);
  report();
}

/** How this browser's person reaches a host by ssh; empty where it is the browser's own machine, or is not known. */
export function sshTo(host: string): string {
  return localStorage.getItem(REACHED + host) ?? "";
}

/** Remember how a host is reached; empty is not by ssh. */
export function setSshTo(host: string, target: string): void {
  if (target === "") {
    localStorage.removeItem(REACHED + host);
  } else {
    localStorage.setItem(REACHED + host, target);
  }
  report();
}

export function useChosenEditor(): Editor | null {
  return useSyncExternalStore(watch, chosenEditor);
}

/** How a host is reached, as it is remembered now. */
export function useSshTo(host: string): string {
  return useSyncExternalStore(watch, () => sshTo(host));
}

function report(): void {
  for (const each of watchers) {
    each();
  }
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
