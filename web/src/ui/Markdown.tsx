/** Markdown of agents and people: elements only, block by block, so that a stream stays cheap. */

import type { Nodes } from "hast";
import { type Components, toJsxRuntime } from "hast-util-to-jsx-runtime";
import { type Handlers, toHast } from "mdast-util-to-hast";
import { memo, useEffect, useMemo, useRef } from "react";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { Code } from "@/ui/Code";
import { blocksOf, type MarkdownBlock, NO_BLOCKS } from "@/ui/markdown_blocks";
import { takesSession } from "@/ui/own_host";
import { withMarks } from "@/ui/suspicious_text";
import classes from "@/ui/text.module.css";

const SAFE = /^(https?:|mailto:)/i;

/** Show Markdown: no HTML, links to the web only and with their host, images as links. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const before = useRef(NO_BLOCKS);
  const parsed = useMemo(() => blocksOf(withMarks(text), before.current), [text]);
  useEffect(() => {
    before.current = parsed;
  }, [parsed]);
  return (
    <div className={classes.markdown}>
      {parsed.blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place; only the last one grows
        <Block key={index} block={block} />
      ))}
    </div>
  );
});

/** HTML is shown as the text that it is. */
const HANDLERS: Handlers = { html: (_, node) => ({ type: "text", value: node.value }) };

const Block = memo(
  function Block({ block }: { readonly block: MarkdownBlock }) {
    const tree = toHast({ type: "root", children: [block.node] }, { handlers: HANDLERS });
    withDirections(tree);
    return toJsxRuntime(tree, { Fragment, jsx, jsxs, components: COMPONENTS, passKeys: true });
  },
  (one, other) => one.block.source === other.block.source,
);

const WRITTEN = new Set(["p", "ul", "ol", "li", "blockquote", "h1", "h2", "h3", "h4", "td", "th"]);

/** Have the text of each block run as it is written; code runs from left to right. */
function withDirections(node: Nodes): void {
  if (node.type === "element" && WRITTEN.has(node.tagName)) {
    node.properties.dir = "auto";
  }
  if ("children" in node) {
    node.children.forEach(withDirections);
  }
}

function hostOf(href: string): string {
  try {
    const url = new URL(href);
    return url.protocol === "mailto:" ? url.pathname : url.host;
  } catch {
    return "";
  }
}

interface LinkProps {
  readonly href: string | undefined;
  readonly label: string;
  readonly children: React.ReactNode;
}

/** A link that says where it goes, if its words do not; one to nowhere safe, or to whom it tells who I am, is words. */
function SafeLink({ href, label: line, children }: LinkProps) {
  if (!href || !SAFE.test(href) || takesSession(href)) {
    return <span>{children}</span>;
  }
  const host = hostOf(href);
  const isShown = line.replace(/^https?:\/\//, "").startsWith(host);
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
      {!isShown && <span className="dim"> ({host})</span>}
    </>
  );
}

function wordsOf(children: React.ReactNode): string {
  return Array.isArray(children) ? children.map(wordsOf).join("") : String(children ?? "");
}

function Heading({ level, children }: { level: number; children: React.ReactNode }) {
  return (
    <h3 data-level={level} dir="auto">
      {children}
    </h3>
  );
}

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <SafeLink href={href} label={wordsOf(children)}>
      {children}
    </SafeLink>
  ),
  input: ({ checked }) => (
    <span role="img" aria-label={checked ? "done" : "to do"}>
      {checked ? "☑" : "☐"}
    </span>
  ),
  img: ({ src, alt }) => (
    <SafeLink href={typeof src === "string" ? src : undefined} label="">
      {`image: ${alt || "without a name"}`}
    </SafeLink>
  ),
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = String(children ?? "");
    const language = /language-(\S+)/.exec(className ?? "")?.[1];
    return language !== undefined || text.endsWith("\n") ? (
      <Code text={text.replace(/\n$/, "")} language={language} />
    ) : (
      <code>{children}</code>
    );
  },
  h1: ({ children }) => <Heading level={1}>{children}</Heading>,
  h2: ({ children }) => <Heading level={2}>{children}</Heading>,
  h4: ({ children }) => <Heading level={4}>{children}</Heading>,
  h5: ({ children }) => <Heading level={5}>{children}</Heading>,
  h6: ({ children }) => <Heading level={6}>{children}</Heading>,
  table: ({ children }) => (
    <div className={classes.table}>
      <table>{children}</table>
    </div>
  ),
};
