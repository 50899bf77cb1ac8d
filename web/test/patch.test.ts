import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PatchReader, parsePatch, pathOf } from "../src/diff/patch.ts";
import { isManifest } from "../src/diff/paths.ts";

const one = (text: string) => {
  const [file, ...more] = parsePatch(text);
  assert.equal(more.length, 0);
  assert.ok(file);
  return file;
};

const modified = `diff --git a/shop/a.py b/shop/a.py
index 1..2 100644
--- a/shop/a.py
+++ b/shop/a.py
@@ -1,3 +1,4 @@ def shop():
 one
-two
+zwei
+drei
 three
`;

describe("a patch", () => {
  test("gives every line its side and number", () => {
    const file = one(modified);
    assert.equal(file.kind, "modify");
    assert.deepEqual([file.insertions, file.deletions, file.lines], [2, 1, 5]);
    assert.equal(file.hunks[0]?.content, "def shop():");
    assert.deepEqual(
      file.hunks[0]?.changes.map((c) => [
        c.type,
        "lineNumber" in c ? c.lineNumber : c.newLineNumber,
        c.content,
      ]),
      [
        ["normal", 1, "one"],
        ["delete", 2, "two"],
        ["insert", 2, "zwei"],
        ["insert", 3, "drei"],
        ["normal", 4, "three"],
      ],
    );
  });

  test("that is empty has no files", () => {
    assert.deepEqual(parsePatch(""), []);
    assert.deepEqual(parsePatch("nothing of a patch\n"), []);
  });

  test("read a few lines at a time is the same", () => {
    const reader = new PatchReader(modified + modified);
    while (!reader.read(2)) {
      // two lines at a time
    }
    assert.deepEqual(reader.files, parsePatch(modified + modified));
  });

  test("may remove a line that looks like a header", () => {
    const file = one(
      "diff --git a/x.sql b/x.sql\n--- a/x.sql\n+++ b/x.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+++ new\n diff --git a/q b/q\n",
    );
    assert.deepEqual(
      file.hunks[0]?.changes.map((change) => change.content),
      ["-- old comment", "++ new", "diff --git a/q b/q"],
    );
    assert.equal(file.newPath, "x.sql");
  });

  test("knows files without a last line end", () => {
    const file = one(
      "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
    );
    assert.equal(file.hasNoEndOfLine, true);
    assert.deepEqual([file.insertions, file.deletions, file.isCut], [1, 1, false]);
  });

  test("knows new, removed, renamed and copied files", () => {
    const files = parsePatch(`diff --git a/new b/new
new file mode 100755
index 0..1
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+x
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/one two b/three four
similarity index 100%
rename from one two
rename to three four
diff --git a/c b/d
similarity index 100%
copy from c
copy to d
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
`);
    assert.deepEqual(
      files.map((file) => [file.kind, file.oldPath, file.newPath, file.oldMode, file.newMode]),
      [
        ["add", "new", "new", "", "100755"],
        ["delete", "gone", "gone", "100644", ""],
        ["rename", "one two", "three four", "", ""],
        ["copy", "c", "d", "", ""],
        ["modify", "run.sh", "run.sh", "100644", "100755"],
      ],
    );
    assert.deepEqual(files.map(pathOf), ["new", "gone", "three four", "d", "run.sh"]);
  });

  test("has names with spaces, quotes, line ends and bytes of other scripts", () => {
    const files = parsePatch(`diff --git a/a b/c d.txt b/a b/c d.txt
new file mode 100644
--- /dev/null
+++ b/a b/c d.txt\t
@@ -0,0 +1 @@
+x
diff --git "a/\\303\\244\\n\\"q\\".md" "b/\\303\\244\\n\\"q\\".md"
new file mode 100644
--- /dev/null
+++ "b/\\303\\244\\n\\"q\\".md"
@@ -0,0 +1 @@
+x
diff --git a/plain "b/t\\tab"
rename from plain
rename to "t\\tab"
diff --git a/<img src=x onerror=alert(1)> b/<img src=x onerror=alert(1)>
new file mode 100644
`);
    assert.deepEqual(
      files.map((file) => file.newPath),
      ["a b/c d.txt", 'ä\n"q".md', "t\tab", "<img src=x onerror=alert(1)>"],
    );
    assert.equal(files[2]?.oldPath, "plain");
  });

  test("knows binary files", () => {
    const file = one(
      "diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n",
    );
    assert.equal(file.isBinary, true);
    assert.equal(pathOf(file), "logo.png");
  });

  test("whose middle is missing keeps what is there, and says so", () => {
    const files = parsePatch(
      "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n x\n+y\n[... 900 bytes cut ...]\n+++ rest\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n",
    );
    assert.deepEqual(
      files.map((file) => [file.oldPath, file.isCut, file.lines]),
      [
        ["a", true, 2],
        ["b", false, 2],
      ],
    );
  });

  test("has another hash when any line of a file changes, and no other", () => {
    const hash = one(modified).hash;
    assert.equal(one(modified).hash, hash);
    assert.notEqual(one(modified.replace("zwei", "Zwei")).hash, hash);
    assert.notEqual(one(modified.replace("-1,3 +1,4", "-2,3 +2,4")).hash, hash);
  });

  test("of 20,000 lines is read in parts of well below 250 ms", () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, number) => `+line ${number}, with some text\n`,
    );
    const text = `diff --git a/m b/m\nnew file mode 100644\n--- /dev/null\n+++ b/m\n@@ -0,0 +1,20000 @@\n${lines.join("")}`;
    const reader = new PatchReader(text);
    let worst = 0;
    for (let isDone = false; !isDone; ) {
      const begin = performance.now();
      isDone = reader.read(2000);
      worst = Math.max(worst, performance.now() - begin);
    }
    assert.equal(reader.files[0]?.insertions, 20_000);
    assert.ok(worst < 200, `a part took ${worst} ms`);
  });
});

test("manifests of dependencies are known by their names", () => {
  assert.deepEqual(
    [
      "package.json",
      "web/package-lock.json",
      "requirements-dev.txt",
      "a/Cargo.toml",
      "Dockerfile",
    ].map(isManifest),
    [true, true, true, true, true],
  );
  assert.equal(isManifest("src/package.json.ts"), false);
});
