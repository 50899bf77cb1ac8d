/** Colours code; runs in the page's worker, for it may take as long as it wants there. */

import clojure from "highlight.js/lib/languages/clojure";
import cmake from "highlight.js/lib/languages/cmake";
import dart from "highlight.js/lib/languages/dart";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import elixir from "highlight.js/lib/languages/elixir";
import erlang from "highlight.js/lib/languages/erlang";
import groovy from "highlight.js/lib/languages/groovy";
import haskell from "highlight.js/lib/languages/haskell";
import julia from "highlight.js/lib/languages/julia";
import nginx from "highlight.js/lib/languages/nginx";
import nix from "highlight.js/lib/languages/nix";
import ocaml from "highlight.js/lib/languages/ocaml";
import powershell from "highlight.js/lib/languages/powershell";
import protobuf from "highlight.js/lib/languages/protobuf";
import scala from "highlight.js/lib/languages/scala";
import { common, createLowlight } from "lowlight";
import { kindOf } from "./kinds.ts";
import { languageOf } from "./languages.ts";
import { type Spans, SpanWriter } from "./spans.ts";

const lowlight = createLowlight({
  ...common,
  clojure,
  cmake,
  dart,
  dockerfile,
  elixir,
  erlang,
  groovy,
  haskell,
  julia,
  nginx,
  nix,
  ocaml,
  powershell,
  protobuf,
  scala,
});

type Tree = ReturnType<typeof lowlight.highlight>["children"][number];

/** Return the coloured pieces of texts, by their file's path or their language; null of one that nobody knows. */
export function highlight(name: string, texts: readonly string[]): readonly Spans[] | null {
  const language = languageOf(name);
  if (!lowlight.registered(language)) {
    return null;
  }
  return texts.map((text) => spansIn(lowlight.highlight(language, text).children));
}

function spansIn(nodes: readonly Tree[]): Spans {
  const writer = new SpanWriter();
  let column = 0;
  const write = (text: string, kind: number) => {
    for (let from = 0; ; ) {
      const end = text.indexOf("\n", from);
      const length = (end < 0 ? text.length : end) - from;
      writer.add(column, column + length, kind);
      column += length;
      if (end < 0) {
        return;
      }
      writer.newLine();
      column = 0;
      from = end + 1;
    }
  };
  const walk = (node: Tree, kind: number) => {
    if (node.type === "text") {
      write(node.value, kind);
    } else if (node.type === "element") {
      const names = node.properties.className;
      const inner = Array.isArray(names) ? kindOf(String(names[0])) : null;
      for (const child of node.children) {
        walk(child, inner ?? kind);
      }
    }
  };
  for (const node of nodes) {
    walk(node, 0);
  }
  return writer.done();
}
