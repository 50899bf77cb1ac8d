/** Coloured code; loaded when the first code block is shown. */

import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { common, createLowlight } from "lowlight";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";

const lowlight = createLowlight(common);

interface Props {
  readonly text: string;
  readonly language: string;
}

/** Show code as a `<code>` with its words coloured; an unknown language stays plain. */
export default function Highlighted({ text, language }: Props) {
  if (!lowlight.registered(language)) {
    return <code>{text}</code>;
  }
  const tree = lowlight.highlight(language, text);
  return <code>{toJsxRuntime(tree, { Fragment, jsx, jsxs })}</code>;
}
