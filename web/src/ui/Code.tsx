/** A block of code, coloured once the highlighter is loaded. */

import { lazy, memo, Suspense } from "react";
import classes from "@/ui/text.module.css";

const Highlighted = lazy(() => import("@/ui/Highlighted"));
const HIGHLIGHTED = 20_000;

interface Props {
  readonly text: string;
  readonly language: string | undefined;
}

/** Show code; what is very long, or of no language, stays plain. */
export const Code = memo(function Code({ text, language }: Props) {
  const plain = <code>{text}</code>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={classes.code} tabIndex={0}>
      {language !== undefined && text.length <= HIGHLIGHTED ? (
        <Suspense fallback={plain}>
          <Highlighted text={text} language={language} />
        </Suspense>
      ) : (
        plain
      )}
    </pre>
  );
});
