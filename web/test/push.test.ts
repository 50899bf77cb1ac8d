import assert from "node:assert/strict";
import { test } from "node:test";
import { browserName, keyBytes } from "../src/ui/push_parts.ts";

test("a key in Base64 for URLs becomes its bytes, with and without what plain Base64 lacks", () => {
  assert.deepEqual([...keyBytes("-_8A")], [0xfb, 0xff, 0x00]);
  assert.deepEqual([...keyBytes("BA")], [4]);
});

test("a browser is called by its own name, not by those that it pretends to be", () => {
  const chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
  assert.equal(browserName(chrome), "Chrome on Linux");
  assert.equal(browserName(`${chrome} Edg/140.0`), "Edge on Linux");
  assert.equal(
    browserName("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1"),
    "Safari on iPhone",
  );
  assert.equal(browserName("curl/8"), "A browser on another system");
});
