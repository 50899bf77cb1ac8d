import assert from "node:assert/strict";
import { test } from "node:test";
import { blocksOf, NO_BLOCKS } from "../src/ui/markdown_blocks.ts";

const TEXT = `Title
=====

Some *words* of a paragraph
over two lines

- one

- two
  with more

      code in a list

    indented code

| a | b |
| - | - |
| 1 | 2 |

<b onclick="x">html</b>

\`\`\`ts
const a = 1;

const b = 2;
\`\`\`
> a quote
lazily continued
`;

test("a text that grows has the blocks that it has when parsed at once", () => {
  let grown = NO_BLOCKS;
  for (let length = 1; length <= TEXT.length; length += 1) {
    grown = blocksOf(TEXT.slice(0, length), grown);
    const sources = grown.blocks.map(({ source }) => source);
    const whole = blocksOf(TEXT.slice(0, length)).blocks.map(({ source }) => source);
    assert.deepEqual(sources, whole);
  }
  assert.ok(grown.blocks.length > 6);
});

test("another text has nothing of the one before", () => {
  const { blocks } = blocksOf("new", blocksOf("# one\n\ntwo"));
  assert.deepEqual(
    blocks.map(({ source }) => source),
    ["new"],
  );
});
