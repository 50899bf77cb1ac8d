/** A block of code, in colour once the page's worker has read it. */

import { memo, useEffect, useState } from "react";
import { ask } from "@/ui/background/asking";
import { type Spans, spansOf } from "@/ui/background/spans";
import { Coloured } from "@/ui/Coloured";
import { Safe } from "@/ui/Safe";
import classes from "@/ui/text.module.css";

const HIGHLIGHTED = 20_000;

interface Props {
  readonly text: string;
  readonly language: string | undefined;
}

/** Show code; what is very long, or of no language, stays plain. */
export const Code = memo(function Code({ text, language }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={classes.code} tabIndex={0}>
      <code>
        <ColouredText text={text} language={language} />
      </code>
    </pre>
  );
});

/** Show a text of a language, which the name of its file also tells; plain until its colours are known. */
export function ColouredText({ text, language }: Props) {
  const spans = useSpans(text, text.length <= HIGHLIGHTED ? language : undefined);
  return spans === null ? <Safe text={text} /> : <Lines text={text} spans={spans} />;
}

function Lines({ text, spans }: { readonly text: string; readonly spans: Spans }) {
  return text.split("\n").map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name than their place
    <span key={index}>
      {index > 0 && "\n"}
      <Coloured text={line} spans={spansOf(spans, index)} />
    </span>
  ));
}

/** The pieces of a text, or of its beginning while it grows; null where they are not known. */
function useSpans(text: string, language: string | undefined): Spans | null {
  const [found, setFound] = useState<{ text: string; spans: Spans | null } | null>(null);
  useEffect(() => {
    if (language === undefined) {
      return;
    }
    const leaving = new AbortController();
    void ask("highlight", [language, [text]], leaving.signal).then(
      (found) => leaving.signal.aborted || setFound({ text, spans: found?.[0] ?? null }),
    );
    return () => leaving.abort();
  }, [text, language]);
  return found !== null && text.startsWith(found.text) ? found.spans : null;
}
