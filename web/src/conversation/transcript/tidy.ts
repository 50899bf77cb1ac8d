/** A transcript as it is read: the goal once, and what starts an agent in one line; pure. */

import {
  GOAL,
  type Item,
  type NotesItem,
  type PromptItem,
  type SetupItem,
} from "../projection/items.ts";

type Quiet = NotesItem | PromptItem;

/** Groups as they were made before, by their first item: one that did not change is the same. */
export type Groups = WeakMap<Item, SetupItem>;

/** Return the items as they are read. */
export function tidied(items: readonly Item[], groups: Groups): readonly Item[] {
  const shown: Item[] = [];
  const goal = items.find((item) => item.kind === "message" && item.messageId === GOAL);
  const isSaid = goal !== undefined && isSaidIn(items, goal);
  let run: Quiet[] = [];
  for (const item of items) {
    if (item === goal && isSaid) {
      continue;
    }
    if (isQuiet(item)) {
      run.push(item);
      continue;
    }
    shown.push(...together(run, groups), item);
    run = [];
  }
  return [...shown, ...together(run, groups)];
}

/** A thread that is a chat has its goal as its first message as well. */
function isSaidIn(items: readonly Item[], goal: Item): boolean {
  const words = goal.kind === "message" ? goal.text.trim() : "";
  return items.some(
    (item) => item !== goal && item.kind === "message" && item.text.trim() === words,
  );
}

function isQuiet(item: Item): item is Quiet {
  return item.kind === "notes" || (item.kind === "prompt" && item.state === "sent");
}

function together(run: readonly Quiet[], groups: Groups): readonly Item[] {
  const [first] = run;
  if (first === undefined || run.length === 1) {
    return run;
  }
  const before = groups.get(first);
  if (before?.items.length === run.length && before.items.every((item, at) => item === run[at])) {
    return [before];
  }
  const { key, position, at, session } = first;
  const made: SetupItem = { key: `${key} setup`, position, at, session, kind: "setup", items: run };
  groups.set(first, made);
  return [made];
}
