import assert from "node:assert/strict";
import { test } from "node:test";
import { piecesOf } from "../src/conversation/transcript/mentions.ts";

const marked = (text: string, person = "ann") =>
  piecesOf(text, person)
    .filter(({ isMe }) => isMe)
    .map(({ text }) => text);

test("a message marks its reader's name, and nobody else's", () => {
  assert.deepEqual(marked("@ann, and @bo: see @ann."), ["@ann", "@ann"]);
  assert.deepEqual(marked("@anna, ann@ann.org, src/@ann, @ann/x"), []);
  assert.deepEqual(marked("@ann.b+c@x.org!", "ann.b+c@x.org"), ["@ann.b+c@x.org"]);
  assert.deepEqual(marked("@", ""), []);
});

test("the pieces of a message are the message", () => {
  for (const text of ["", "@ann", "a @ann b", "@ann@ann", "none"]) {
    assert.equal(
      piecesOf(text, "ann").reduce((all, { text: piece }) => all + piece, ""),
      text,
    );
  }
});
