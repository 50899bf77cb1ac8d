/** Coloured code; loaded when the first code block is shown. */

import type { Components } from "react-markdown";
import ReactMarkdown from "react-markdown";
import rehypeHighlight from "rehype-highlight";

const PLUGINS = [rehypeHighlight];
const BARE: Components = { pre: ({ children }) => <>{children}</> };

interface Props {
  readonly text: string;
  readonly language: string;
}

/** Show code as a `<code>` with its words coloured. */
export default function Highlighted({ text, language }: Props) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = "`".repeat(longest + 1);
  return (
    <ReactMarkdown rehypePlugins={PLUGINS} components={BARE}>
      {`${fence}${language}\n${text}\n${fence}`}
    </ReactMarkdown>
  );
}
