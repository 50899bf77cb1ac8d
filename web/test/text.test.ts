/** What is shown of foreign text: marked characters, terminal colours, slash commands. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { commandOf, fittingOf, isSlash } from "../src/conversation/composer/slash.ts";
import { withoutControls } from "../src/ui/ansi.ts";
import { isSuspicious, pieces, withMarks } from "../src/ui/suspicious_text.ts";

test("bidi controls, characters of no width and lookalike letters are marked", () => {
  const marks = (text: string) => pieces(text).flatMap(({ mark }) => mark ?? []);
  assert.deepEqual(marks("user\u202e// admin\u2066"), [
    "right-to-left override",
    "left-to-right isolate",
  ]);
  assert.deepEqual(marks("pass\u200bword"), ["zero-width space"]);
  assert.deepEqual(marks("p\u0430ypal"), ["looks Latin, is U+0430"]);
  assert.deepEqual(marks("\u041f\u0440\u0438\u0432\u0435\u0442, world"), []);
});

test("marks that a text needs to be read are not suspicious", () => {
  for (const text of [
    "\u05e9\u05dc\u05d5\u05dd C++\u200f!",
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937",
    "the branch \u2068\u05e9\u05dc\u05d5\u05dd\u2069 is gone",
    "\ufeffconst a = 1;",
  ]) {
    assert.equal(isSuspicious(text), false, JSON.stringify(text));
  }
});

test("the same marks are suspicious where no letter needs them", () => {
  for (const text of [
    "a\u200fb",
    "\u05e9\u05dc\u05d5\u05dd\nrm\u200f -rf",
    "pass\u200cword",
    "x\u2068y",
    "x\u2068a\u202eb\u2069",
    "\u05e9\u202e\u05dc",
    "a\ufeffb",
  ]) {
    assert.equal(isSuspicious(text), true, JSON.stringify(text));
  }
});

test("emoji of several signs are not suspicious", () => {
  assert.equal(
    isSuspicious("\u{1f468}\u200d\u{1f469}\u200d\u{1f467} and \u{1f3f3}\ufe0f\u200d\u{1f308}"),
    false,
  );
});

test("the pieces of a text are the text", () => {
  const text = "a\u202eb\u200b\u0430c p\u0430y\u2069";
  assert.equal(
    pieces(text)
      .map((piece) => piece.text)
      .join(""),
    text,
  );
  assert.equal(withMarks("a\u200bb"), "a⟨zero-width space⟩b");
});

test("of a terminal's output only colours pass", () => {
  assert.equal(
    withoutControls("\u001b]0;title\u0007\u001b[31mred\u001b[0m\u001b[2J\u001b[H"),
    "\u001b[31mred\u001b[0m",
  );
  assert.equal(
    withoutControls("\u001b]8;;http://evil.example\u001b\\link\u001b]8;;\u001b\\"),
    "link",
  );
  assert.equal(withoutControls("10 %\r50 %\rdone\r\nnext"), "done\nnext");
});

const COMMANDS = [
  { name: "/plan", argument: "GOAL", description: "" },
  { name: "/plan pause", argument: "", description: "" },
  { name: "/stop", argument: "", description: "" },
];

test("a command is the longest that fits, its argument what is left", () => {
  assert.equal(commandOf("/plan pause", COMMANDS)?.command.name, "/plan pause");
  assert.deepEqual(commandOf("/plan add dark mode", COMMANDS)?.argument, "add dark mode");
  assert.equal(commandOf("/planet", COMMANDS), null);
  assert.equal(isSlash("/etc/hosts is broken"), false);
  assert.equal(isSlash("/unknown thing"), true);
});

test("while typing, what fits is offered", () => {
  assert.deepEqual(
    fittingOf("/pl", COMMANDS).map(({ name }) => name),
    ["/plan", "/plan pause"],
  );
  assert.deepEqual(fittingOf("plan", COMMANDS), []);
});
