/** The board: which card stands where, and what news do to a list. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createElement } from "react";
import { type News, withNews } from "../src/api/thread_news.ts";
import {
  askedOf,
  boardOf,
  columnOf,
  isEntryAmong,
  reordered,
  steadied,
} from "../src/screens/threads/board/columns.ts";
import { inTurn, refusalWords } from "../src/screens/threads/board/turns.ts";
import { moduleOf, rendered } from "./rendered.ts";

type Line = Parameters<typeof columnOf>[0];
type Entry = Parameters<typeof isEntryAmong>[0];

function line(id: string, changed: number, more: Partial<Line> = {}): Line {
  return {
    thread_id: id,
    stream: id,
    title: id,
    project: "/code/app",
    shown_status: "running",
    column: "running",
    is_archived: false,
    changed,
    ...more,
  } as Line;
}

function entry(id: string, title = id, project = "/code/app"): Entry {
  return { entry: { entry_id: id, title, project, state: "waiting" }, place: 1 } as Entry;
}

function news(...lines: readonly Line[]): ReadonlyMap<string, News> {
  return new Map(lines.map((each) => [each.thread_id, { line: each, position: each.changed }]));
}

test("what the inbox has of a thread that goes on is in the column of those who are asked", () => {
  const asked = new Set(["a", "b"]);
  assert.equal(columnOf(line("a", 1), asked), "waiting");
  assert.equal(columnOf(line("b", 1, { column: "merged" }), asked), "merged");
  assert.equal(columnOf(line("c", 1), asked), "running");
});

test("what is asked of a thread is said on its card, also where no row has it", () => {
  const item = (thread_id: string | null, kind: string, subject: string, held?: string[]) =>
    ({ kind, thread_id, title: "Add a flag", subject, held_threads: held }) as Parameters<
      typeof askedOf
    >[0][number];
  const asked = askedOf([
    item("a", "limit", "$1.00 of $1.00 spent"),
    item("a", "gate", "later"),
    item("b", "best_of", "Add a flag"),
    item(null, "limit", "of the month", ["a", "c"]),
  ]);
  assert.deepEqual(
    [...asked],
    [
      ["a", "$1.00 of $1.00 spent"],
      ["b", "best of"],
      ["c", "of the month"],
    ],
  );
  assert.equal(columnOf(line("a", 1), asked), "waiting");
});

test("a card says what its thread cost", async () => {
  const { ThreadCard } = await moduleOf<typeof import("../src/screens/threads/board/Card.tsx")>(
    "screens/threads/board/Card.tsx",
  );
  const more = { waiting_for: "", last_line: "reads", agent: "", opened_by: "", goal: "" };
  const counts = { total: 0, done: 0, insertions: 0, deletions: 0, changed_at: null };
  const shown = line("a", 1, { ...more, ...counts, money: { told: 1_200_000 } } as Partial<Line>);
  const card = (asks: string) =>
    rendered(createElement(ThreadCard, { line: shown, isActive: false, asks, menu: null }), []);
  assert.match(card(""), /\$1\.20/);
  assert.match(card(""), /reads/);
  assert.match(card("limit reached"), /data-asks="true"[^>]*>limit reached/);
});

test("each thread has one card, and what waits in the queue comes before threads", () => {
  const lines = [
    line("late", 9, { column: "planned" }),
    line("begun", 3, { column: "planned" }),
    line("new", 2, { opened_at: "2026-02-01T00:00:00Z" }),
    line("old", 8, { opened_at: "2026-01-01T00:00:00Z" }),
  ];
  const board = boardOf(lines, [entry("first"), entry("begun"), entry("second")], new Set());
  const ids = Object.values(board).flatMap((items) => items.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(
    board.planned.map(({ id }) => id),
    ["first", "second", "late", "begun"],
  );
  assert.deepEqual(
    board.running.map(({ id }) => id),
    ["new", "old"],
  );
});

test("entries are narrowed as threads are", () => {
  const shown = entry("thread-x", "Fix the Parser", "/code/app");
  assert.ok(isEntryAmong(shown, {}));
  assert.ok(isEntryAmong(shown, { q: "parser fix", project: "app" }));
  assert.ok(!isEntryAmong(shown, { q: "lexer" }));
  assert.ok(!isEntryAmong(shown, { project: "/code/other" }));
  assert.ok(!isEntryAmong(shown, { status: "running" }));
  assert.ok(!isEntryAmong(shown, { archived: true }));
});

test("a move is shown as the queue will have it", () => {
  const entries = [entry("a"), entry("b"), entry("c")];
  const ids = (list: readonly Entry[]) => list.map((each) => each.entry.entry_id).join("");
  assert.equal(ids(reordered(entries, "a", 2)), "bca");
  assert.equal(ids(reordered(entries, "c", 0)), "cab");
  assert.equal(ids(reordered(entries, "gone", 0)), "abc");
});

test("moves are sent one after the other, and one that fails holds none up", async () => {
  const next = inTurn();
  const log: string[] = [];
  const sent = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`${name} ends`);
    if (name === "a") {
      throw new Error("refused");
    }
    return name;
  };
  const first = next(sent("a"));
  const second = next(sent("b"));
  await assert.rejects(first, /refused/);
  assert.equal(await second, "b");
  assert.deepEqual(log, ["a begins", "a ends", "b begins", "b ends"]);
});

test("news replace, add and take away rows, the latest changed first; older ones change nothing", () => {
  const parts = [
    { threads: [line("a", 10), line("b", 9)], position: 10 },
    { threads: [line("c", 5)], position: 12 },
  ];
  const fresh = news(
    line("b", 11, { title: "other" }),
    line("a", 9, { title: "stale" }),
    line("c", 13, { is_archived: true }),
    line("new", 14),
  );
  const shown = withNews(parts, fresh, {});
  assert.deepEqual(
    shown.map(({ thread_id: id, title }) => `${id} ${title}`),
    ["new new", "b other", "a a"],
  );
  assert.deepEqual(
    withNews(parts, fresh, { q: "words" }).map(({ thread_id: id }) => id),
    ["b", "a"],
  );
  assert.deepEqual(withNews([{ threads: [], position: 0 }], fresh, { status: "failed" }), []);
});

test("a row that follows its event is news, though its position was fetched already", () => {
  const parts = [{ threads: [line("a", 10)], position: 10 }];
  const shown = withNews(parts, news(line("a", 10, { column: "waiting" })), {});
  assert.deepEqual(
    shown.map(({ column }) => column),
    ["waiting"],
  );
});

test("what was deleted is not brought back by older news", () => {
  assert.deepEqual(withNews([{ threads: [], position: 10 }], news(line("a", 10)), {}), []);
});

test("a column in which nothing changed stays the same", () => {
  const [one, two] = [line("a", 1), line("b", 2, { column: "merged" })];
  const before = boardOf([one, two], [], new Set());
  const after = steadied(boardOf([line("a", 3), two], [], new Set()), before);
  assert.equal(after.merged, before.merged);
  assert.notEqual(after.running, before.running);
});

test("what the queue refuses is told as what was asked", () => {
  assert.equal(refusalWords("moved", "it was started"), "Not moved: it was started");
  assert.equal(refusalWords("released", "it was started"), "Not released: it was started");
});
