import assert from "node:assert/strict";
import { test } from "node:test";
import { questionOf } from "../src/screens/settings/removal.ts";

test("removing a passkey asks, and says who is signed out", () => {
  const other = { name: "phone", is_current: false };
  assert.match(questionOf(other, 2), /^Remove phone\? Browsers that signed in with it/);
  assert.match(
    questionOf({ ...other, is_current: true }, 2),
    /you are signed out here, and tokens made with it are revoked\.$/,
  );
  assert.match(questionOf(other, 1), /only passkey: .* invitation of an admin/);
  assert.doesNotMatch(questionOf(other, 2), /invitation/);
});
