/** Reads what agents send as it came: nothing in it can be relied on; pure. */

import type { ToolPart } from "./items.ts";

/** A JSON object of which nothing is known. */
export type Loose = Readonly<Record<string, unknown>>;

/** Return an object, an empty one for anything else. */
export function object(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Loose)
    : {};
}

/** Return a list, an empty one for anything else. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Return a text, an empty one for anything else. */
export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Return what a content block says: its text, or what kind of thing it is. */
export function words(content: unknown): string {
  const block = object(content);
  return text(block.text) || (block.type === undefined ? "" : `[${text(block.type) || "content"}]`);
}

/** Return the parts of a tool call's content. */
export function toolParts(content: unknown): readonly ToolPart[] {
  return list(content).flatMap((each): readonly ToolPart[] => {
    const part = object(each);
    if (part.type === "diff") {
      const { path, oldText, newText } = part;
      return [{ kind: "diff", path: text(path), oldText: text(oldText), newText: text(newText) }];
    }
    if (part.type === "terminal") {
      return [{ kind: "terminal", id: text(part.terminalId) }];
    }
    const label = words(part.content);
    return label === "" ? [] : [{ kind: "text", text: label }];
  });
}

/** Return where a tool looked or wrote: `path:line`. */
export function places(locations: unknown): readonly string[] {
  return list(locations).flatMap((each) => {
    const { path, line } = object(each);
    if (text(path) === "") {
      return [];
    }
    return [typeof line === "number" ? `${text(path)}:${line}` : text(path)];
  });
}

/** Return a tool's input as people read it: a command alone, else JSON. */
export function inputOf(raw: unknown): string {
  const given = object(raw);
  const command = given.command ?? given.cmd;
  if (typeof command === "string") {
    return command;
  }
  if (Array.isArray(command)) {
    return command.join(" ");
  }
  if (typeof raw === "string") {
    return raw;
  }
  return Object.keys(given).length === 0 ? "" : JSON.stringify(raw, null, 2);
}
