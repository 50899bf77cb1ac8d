/** Terminal text: only its colours pass, everything else that a terminal would obey is dropped. */

import Anser, { type AnserJsonEntry } from "anser";
import { memo } from "react";
import { withoutControls, withoutOwnWords } from "@/ui/ansi";
import { Safe } from "@/ui/Safe";
import classes from "@/ui/text.module.css";

/** Show a terminal's output in a `<pre>`; long lines scroll in it. */
export const Ansi = memo(function Ansi({ text }: { readonly text: string }) {
  const [output, words] = withoutOwnWords(text);
  const entries = Anser.ansiToJson(withoutControls(output), {
    json: true,
    remove_empty: true,
    use_classes: true,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={classes.pre} tabIndex={0}>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
        <span key={index} className={styleOf(entry)}>
          <Safe text={entry.content} />
        </span>
      ))}
      {words !== "" && (
        <span className={classes.ownWords}>
          <Safe text={words} />
        </span>
      )}
    </pre>
  );
});

const COLOURS: Readonly<Record<string, string | undefined>> = {
  red: classes.red,
  green: classes.green,
  yellow: classes.yellow,
  blue: classes.blue,
  magenta: classes.magenta,
  cyan: classes.cyan,
};

function styleOf(entry: AnserJsonEntry): string | undefined {
  const colour = COLOURS[(entry.fg ?? "").replace(/^ansi-(bright-)?/, "")];
  const ways = [entry.decorations.includes("bold") && classes.bold, colour];
  return ways.filter(Boolean).join(" ") || undefined;
}
