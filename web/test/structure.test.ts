import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";

/** The packages and loose modules of src/, lowest level first; each imports lower levels only. */
const LEVELS = [
  ["api", "keyboard", "format.ts"],
  ["ui"],
  ["diff"],
  ["conversation", "plans"],
  ["tasks", "execution"],
  ["screens"],
  ["shell", "passkey.ts", "news-worker.ts"],
];

const SRC = join(import.meta.dirname, "..", "src");
const IMPORT = /(?:from|import)\s*\(?\s*"((?:@\/|\.)[^"]+)"/g;

function levelOf(part: string): number {
  return LEVELS.findIndex((level) => level.includes(part));
}

/** Return the first part of a path below src/; a module is imported with or without its ending. */
function partOf(path: string): string {
  const [part = ""] = path.split("/");
  return (
    LEVELS.flat().find((each) => each === part || each.replace(/\.tsx?$/, "") === part) ?? part
  );
}

/** Return what a module imports against the order of the levels. */
function upwardImports(path: string, source: string): readonly string[] {
  const own = partOf(path);
  return [...source.matchAll(IMPORT)].flatMap(([, name = ""]) => {
    const target = name.startsWith("@/") ? name.slice(2) : join(dirname(path), name);
    const part = partOf(target);
    const isDown = part === own || (levelOf(part) >= 0 && levelOf(part) < levelOf(own));
    return isDown ? [] : [`${path} imports ${target}`];
  });
}

function modules(): readonly string[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(SRC, join(entry.parentPath, entry.name)));
}

test("every package has its level, and imports lower levels only", () => {
  const paths = modules();
  assert.deepEqual([...new Set(paths.map(partOf))].sort(), LEVELS.flat().sort());
  const found = paths.flatMap((path) => upwardImports(path, readFileSync(join(SRC, path), "utf8")));
  assert.deepEqual(found, []);
});

test("an upward import and one of the same level are found", () => {
  assert.deepEqual(upwardImports("ui/Bar.tsx", 'import { a } from "@/plans/models";'), [
    "ui/Bar.tsx imports plans/models",
  ]);
  assert.deepEqual(upwardImports("plans/a.ts", 'import { a } from "../conversation/usage.ts";'), [
    "plans/a.ts imports conversation/usage.ts",
  ]);
  assert.deepEqual(upwardImports("api/a.ts", 'const load = () => import("@/screens/inbox");'), [
    "api/a.ts imports screens/inbox",
  ]);
  assert.deepEqual(upwardImports("ui/Bar.tsx", 'import { a } from "@/api/client";'), []);
});
