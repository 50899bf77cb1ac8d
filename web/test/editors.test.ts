/** Links into editors are those of the command line (tests/domain/test_editors.py), whatever a file is called. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type Editor,
  editorUrl,
  isEditor,
  isSshTarget,
  terminalCommand,
} from "../src/ui/editors.ts";

interface Case {
  readonly editor: Editor;
  readonly path: string;
  readonly line: number | null;
  readonly column?: number;
  readonly ssh: string;
  readonly url: string | null;
}

const CASES = JSON.parse(
  readFileSync(new URL("editor_links.json", import.meta.url), "utf8"),
) as Case[];

for (const { editor, path, line, column, ssh, url } of CASES) {
  test(`${editor} opens ${JSON.stringify(path)} by ${url}`, () => {
    const spot = column === undefined ? { path, line } : { path, line, column };
    assert.equal(editorUrl(editor, spot, ssh), url);
  });
}

test("a folder stays one word of a shell", () => {
  assert.equal(terminalCommand("/w/app", ""), "cd /w/app");
  assert.equal(terminalCommand("/w/a b's", ""), `cd '/w/a b'"'"'s'`);
  assert.equal(
    terminalCommand("/w/app", "me@build:22"),
    "ssh -t -p 22 me@build 'cd /w/app && exec $SHELL -l'",
  );
  assert.equal(terminalCommand("/w/app", "-oProxyCommand=x"), "cd /w/app");
});

test("what is no host is none", () => {
  for (const text of ["-x", "a b", "a;b", "$(x)", "", "a/b", "me@-x"]) {
    assert.equal(isSshTarget(text), false, text);
  }
  assert.equal(isSshTarget("me@build.example:22"), true);
});

test("an editor that was kept by another version is none", () => {
  assert.equal(isEditor("emacs"), false);
  assert.equal(isEditor("constructor"), false);
  assert.equal(isEditor(null), false);
  assert.equal(isEditor("zed"), true);
});
