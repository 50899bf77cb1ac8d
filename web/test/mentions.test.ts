import assert from "node:assert/strict";
import test from "node:test";
import { mentionAt, withMention } from "../src/conversation/composer/mentions.ts";

const at = (text: string) => ({ text, caret: text.length });

test("a name after @ is being typed, in quotes too", () => {
  assert.deepEqual(mentionAt(at("see @src/a")), { start: 4, query: "src/a" });
  assert.deepEqual(mentionAt(at("@")), { start: 0, query: "" });
  assert.deepEqual(mentionAt(at('(@"a b')), { start: 1, query: "a b" });
  assert.deepEqual(mentionAt(at('see @"a @b')), { start: 4, query: "a @b" });
});

test("addresses, and names that are over, are none", () => {
  assert.equal(mentionAt(at("ann@example")), null);
  assert.equal(mentionAt(at("see @src/a ")), null);
  assert.equal(mentionAt({ text: "see @src", caret: 3 }), null);
});

test("a chosen file stands in the text with the caret after it", () => {
  const typed = { text: "see @sr and more", caret: 7 };
  const mention = mentionAt(typed);
  assert.ok(mention);
  assert.deepEqual(withMention(typed, mention, "src/app.py"), {
    text: "see @src/app.py and more",
    caret: 16,
  });
  assert.deepEqual(withMention(at("@a"), { start: 0, query: "a" }, "a b.md"), {
    text: '@"a b.md" ',
    caret: 10,
  });
});
