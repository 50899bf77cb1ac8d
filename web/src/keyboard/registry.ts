/** Every shortcut of what is on screen now: one place that listens, the palette and the cheat sheet read it. */

import { useEffect, useRef, useSyncExternalStore } from "react";

/** Something that a key does; the palette offers it by its label as well. */
export interface KeyAction {
  /** As typed: `a`, `Mod+k`, `Shift+?`, or in sequence `g i`; empty for the palette alone. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
  /** Works while typing, too; only for keys with Mod or Escape. */
  readonly isAlways?: boolean;
}

/** The actions of one part of the page, under its name. */
export interface KeyScope {
  readonly name: string;
  readonly actions: readonly KeyAction[];
}

const SEQUENCE_MS = 1000;
const PREFERENCE = "treadle.single-keys";

let scopes: readonly KeyScope[] = [];
const watchers = new Set<() => void>();
let first = "";
let firstAt = 0;
/** Whether a dialog was open when the newest key went down, which may have closed it since. */
let isBelow = false;

function watchScopes(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}

function setScopes(changed: readonly KeyScope[]): void {
  scopes = changed;
  for (const report of watchers) {
    report();
  }
}

/** Tell whether keys without a modifier do anything; the person may switch them off. */
export function hasSingleKeys(): boolean {
  return localStorage.getItem(PREFERENCE) !== "off";
}

/** Switch keys without a modifier on or off, in this browser. */
export function setSingleKeys(isOn: boolean): void {
  localStorage.setItem(PREFERENCE, isOn ? "on" : "off");
  setScopes(scopes);
}

/** Whether single keys are on, as a component shows it. */
export function useSingleKeys(): boolean {
  return useSyncExternalStore(watchScopes, hasSingleKeys);
}

/** Tell whether keys go into a text there. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("input:not([type=checkbox],[type=radio]),textarea,select"))
  );
}

/** Dialogs and menus have keys of their own: what lies below must not be decided from within. */
function isInDialog(target: EventTarget | null): boolean {
  const isInside =
    target instanceof HTMLElement && target.closest('[role="dialog"],[role="menu"]') !== null;
  return isInside || document.querySelector('[aria-modal="true"]') !== null;
}

/** Tell whether a key ends a sequence that was begun, like `g a`: then it means nothing else. */
export function endsSequence(event: KeyboardEvent): boolean {
  const isSoon = first !== "" && event.timeStamp - firstAt < SEQUENCE_MS;
  return isSoon && actionFor(scopes, keysOf(event), first)?.keys.includes(" ") === true;
}

/** Tell whether keys are one that types, or Enter: those can be switched off. */
export function isSingleKey(pressed: string): boolean {
  return !/^(Mod|Alt)\+|^Escape$|^(Shift\+)?F\d+$/.test(pressed);
}

/** Return an event's keys in the registry's spelling. */
export function keysOf(event: KeyboardEvent): string {
  const mod = event.metaKey || event.ctrlKey ? "Mod+" : "";
  const alt = event.altKey ? "Alt+" : "";
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift =
    event.shiftKey && (event.key.length > 1 || /[a-z]/i.test(event.key)) ? "Shift+" : "";
  return `${mod}${alt}${shift}${key}`;
}

/** Find what keys do: the scope that came last goes first. */
export function actionFor(
  present: readonly KeyScope[],
  pressed: string,
  before: string,
): KeyAction | undefined {
  const all = [...present].reverse().flatMap((scope) => scope.actions);
  const same = (wanted: string) =>
    all.find((action) => action.keys.toLowerCase() === wanted.toLowerCase());
  return (before === "" ? undefined : same(`${before} ${pressed}`)) ?? same(pressed);
}

function listen(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) {
    return;
  }
  const pressed = keysOf(event);
  const before = event.timeStamp - firstAt < SEQUENCE_MS ? first : "";
  const action = actionFor(scopes, pressed, before);
  const isSingle = isSingleKey(pressed);
  const isBarred = isSingle
    ? isTyping(event.target) || isBelow || !hasSingleKeys()
    : (pressed === "Escape" && isBelow) || (isTyping(event.target) && !action?.isAlways);
  first = isSingle && !isBarred ? pressed : "";
  firstAt = event.timeStamp;
  if (action && !isBarred) {
    event.preventDefault();
    // a key that does something may begin a sequence as well: `g` shows the graph, `g i` the inbox
    first = action.keys.includes(" ") ? "" : first;
    action.run();
  }
}

function lookBelow(event: KeyboardEvent): void {
  isBelow = isInDialog(event.target);
}

/** Begin to listen: before any dialog does, so that a key that closes one does nothing else. */
export function startKeys(): void {
  window.addEventListener("keydown", lookBelow, true);
  window.addEventListener("keydown", listen);
}

/** Register actions while a component is there. */
export function useKeys(name: string, actions: readonly KeyAction[]): void {
  const newest = useRef(actions);
  newest.current = actions;
  const shape = JSON.stringify(actions.map(({ keys, label, isAlways }) => [keys, label, isAlways]));
  useEffect(() => {
    const shown = JSON.parse(shape) as [string, string, boolean | null][];
    const scope: KeyScope = {
      name,
      actions: shown.map(([keys, label, isAlways], index) => ({
        keys,
        label,
        isAlways: isAlways ?? false,
        run: () => newest.current[index]?.run(),
      })),
    };
    setScopes([...scopes, scope]);
    return () => setScopes(scopes.filter((other) => other !== scope));
  }, [name, shape]);
}

/** What can be done by key now, for the palette and the cheat sheet. */
export function useScopes(): readonly KeyScope[] {
  return useSyncExternalStore(watchScopes, () => scopes);
}
