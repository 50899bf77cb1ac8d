import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isAt, keyOf, lineNow, PART_LINES, partsOf, placeOf } from "../src/diff/lines.ts";
import { parsePatch } from "../src/diff/patch.ts";
import {
  commentStatusOf,
  type Draft,
  placeSince,
  readDrafts,
  sentOf,
  withDraft,
  withoutDraft,
  writeDrafts,
} from "../src/tasks/review/comments.ts";

const since = parsePatch(`diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -3,4 +3,5 @@
 three
-four
+vier
+more
 five
 six
@@ -20,2 +21,1 @@
-twenty
 twentyone
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1 +0,0 @@
-x
`);

const on = (line: number, path = "a.py", side: "old" | "new" = "new") => ({
  path,
  line,
  side,
  text: "why?",
});

describe("a comment after rework", () => {
  test("is addressed where its line was changed or removed", () => {
    assert.deepEqual(commentStatusOf(on(4), since), {
      isAddressed: true,
      place: { side: "new", line: 4 },
    });
    assert.equal(commentStatusOf(on(20), since).isAddressed, true);
    assert.deepEqual(commentStatusOf(on(1, "gone.py"), since), { isAddressed: true, place: null });
  });

  test("stands on the line it was written on in what changed since, or above its file", () => {
    assert.deepEqual(placeSince(on(4)), { side: "old", line: 4 });
    assert.equal(placeSince(on(4, "a.py", "old")), null);
  });

  test("on several lines is addressed where one of them was, and is where its last one is", () => {
    const from = (first: number, last: number) => commentStatusOf({ ...on(last), first }, since);
    assert.deepEqual(from(3, 5), { isAddressed: true, place: { side: "new", line: 6 } });
    assert.equal(from(4, 20).isAddressed, true);
    assert.deepEqual(from(5, 6), { isAddressed: false, place: { side: "new", line: 7 } });
  });

  test("is open where its line is the same, and moves with it", () => {
    const at = (line: number) => commentStatusOf(on(line), since);
    assert.deepEqual(at(1), { isAddressed: false, place: { side: "new", line: 1 } });
    assert.deepEqual(at(5), { isAddressed: false, place: { side: "new", line: 6 } });
    assert.deepEqual(at(10), { isAddressed: false, place: { side: "new", line: 11 } });
    assert.deepEqual(at(21), { isAddressed: false, place: { side: "new", line: 21 } });
    assert.deepEqual(at(30), { isAddressed: false, place: { side: "new", line: 30 } });
  });

  test("is open where nothing of its file changed, or nothing is known yet", () => {
    assert.equal(commentStatusOf(on(4, "other.py"), since).isAddressed, false);
    assert.equal(commentStatusOf(on(4), null).isAddressed, false);
  });
});

describe("drafts", () => {
  const draft = (id: string, line: number, text = "t"): Draft => ({
    ...on(line),
    id,
    text,
    commit: "c",
  });

  test("are put, changed, taken away and sent in the order of their lines", () => {
    let drafts = withDraft(withDraft({}, draft("a", 9)), draft("b", 2));
    drafts = withDraft(drafts, draft("a", 9, "changed"));
    assert.deepEqual(sentOf(drafts), [
      { path: "a.py", line: 2, side: "new", text: "t" },
      { path: "a.py", line: 9, side: "new", text: "changed" },
    ]);
    drafts = withoutDraft(withoutDraft(drafts, draft("a", 9)), draft("b", 2));
    assert.deepEqual(drafts, {});
    assert.equal(writeDrafts(drafts), "");
  });

  test("are read as they were kept, and rubbish is none", () => {
    const drafts = withDraft({}, draft("a", 9));
    assert.deepEqual(readDrafts(writeDrafts(drafts)), drafts);
    assert.deepEqual(readDrafts("{"), {});
    assert.deepEqual(readDrafts("[1]"), {});
    assert.deepEqual(readDrafts(""), {});
  });
});

describe("lines", () => {
  const [file] = since;
  assert.ok(file);
  const [hunk] = file.hunks;
  assert.ok(hunk);

  test("have a key and a place each", () => {
    assert.deepEqual(hunk.changes.map(keyOf), ["N3", "D4", "I4", "I5", "N5", "N6"]);
    assert.deepEqual(hunk.changes.map(placeOf)[1], { side: "old", line: 4 });
    assert.ok(hunk.changes[4] && isAt(hunk.changes[4], { side: "new", line: 6 }));
    assert.ok(hunk.changes[2] && !isAt(hunk.changes[2], { side: "old", line: 4 }));
  });

  test("are cut into parts without losing any", () => {
    const lines = Array.from({ length: 950 }, (_, number) => `+${number}\n`).join("");
    const [long] = parsePatch(
      `diff --git a/l b/l\nnew file mode 100644\n--- /dev/null\n+++ b/l\n@@ -0,0 +1,950 @@\n${lines}`,
    );
    assert.ok(long);
    const parts = partsOf(long.hunks);
    assert.equal(parts.length, Math.ceil(950 / PART_LINES));
    assert.deepEqual(
      parts.flatMap((part) => part.hunk.changes.map((change) => change.content)),
      Array.from({ length: 950 }, (_, number) => `${number}`),
    );
    assert.deepEqual(
      parts.map((part) => part.title),
      ["Lines 1–950", ...Array<null>(parts.length - 1).fill(null)],
    );
  });
});

test("a line is opened where it is now, a removed one where the next line is", () => {
  const hunks = since[0]?.hunks ?? [];
  assert.equal(lineNow(hunks, "N3"), 3);
  assert.equal(lineNow(hunks, "D4"), 4);
  assert.equal(lineNow(hunks, "I5"), 5);
  assert.equal(lineNow(hunks, "N5"), 6);
  assert.equal(lineNow(hunks, "D20"), 21);
  assert.equal(lineNow(hunks, "N99"), null);
});
