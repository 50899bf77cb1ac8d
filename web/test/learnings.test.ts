import assert from "node:assert/strict";
import { test } from "node:test";
import {
  byRepository,
  fateOf,
  isOffered,
  keepingVerb,
  type Learning,
  lifetimeOf,
  useOf,
} from "../src/screens/learnings/standing.ts";

function learning(changes: Partial<Learning>): Learning {
  return {
    learning_id: "l-1",
    repository: "/home/ann/shop",
    text: "Use tabs",
    learning: "next",
    origins: [],
    seen: 1,
    offered: 0,
    used: 0,
    touched_at: "2026-01-01T00:00:00Z",
    standing: "live",
    expires: "2026-04-01T00:00:00Z",
    ...changes,
  } as Learning;
}

test("learnings are listed by repository, those that agents are not told of only if asked for", () => {
  const shop = learning({});
  const removed = learning({ learning_id: "l-2", standing: "removed" });
  const other = learning({ learning_id: "l-3", repository: "/srv/other", standing: "pinned" });
  assert.deepEqual(byRepository([shop, removed, other], false), [
    ["/home/ann/shop", [shop]],
    ["/srv/other", [other]],
  ]);
  assert.deepEqual(byRepository([shop, removed], true)[0]?.[1], [shop, removed]);
  assert.ok(!isOffered(removed));
});

test("what becomes of a learning is said in words", () => {
  assert.equal(fateOf(learning({})), "expires 2026-04-01");
  assert.equal(fateOf(learning({ standing: "expired" })), "expired 2026-04-01");
  assert.equal(fateOf(learning({ standing: "pinned", pinned_by: "ann" })), "kept by ann");
  assert.equal(fateOf(learning({ standing: "removed", removed_by: "ann" })), "removed by ann");
  const promoted = learning({ standing: "promoted", promoted_as: "c".repeat(40) });
  assert.equal(fateOf(promoted), `in AGENTS.md since ${"c".repeat(10)}`);
});

test("its use says how often it was offered, and how often that helped", () => {
  assert.equal(useOf(learning({})), "not offered yet");
  assert.equal(
    useOf(learning({ seen: 3, offered: 7, used: 2 })),
    "learned 3 times, used 2, offered 7",
  );
});

test("how long one lives is said in hours where a setting says hours", () => {
  assert.deepEqual([90, 1.5, 0.5].map(lifetimeOf), ["90 days", "1 day 12 hours", "12 hours"]);
});

test("a person has what was removed or promoted offered again", () => {
  const standings = ["live", "expired", "pinned", "removed", "promoted"] as const;
  assert.deepEqual(
    standings.map((standing) => keepingVerb(learning({ standing }))),
    ["Keep", "Keep", "Let it expire", "Restore", "Offer again"],
  );
});
