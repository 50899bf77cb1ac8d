/** Text of agents and people where what is read must be what is there. */

import { isRightToLeft, pieces } from "@/ui/suspicious_text";
import classes from "@/ui/text.module.css";

interface Props {
  readonly text: string;
  /** It is all that stands in a block with `dir="auto"`, which looks through no isolated text. */
  readonly isBlock?: boolean;
}

/**
 * Show a text with bidi controls, characters of no width and lookalike letters marked.
 *
 * One with letters from right to left has its own direction, whatever stands around it.
 */
export function Safe({ text, isBlock = false }: Props) {
  return isRightToLeft(text) && !isBlock ? (
    <bdi>
      <Marked text={text} />
    </bdi>
  ) : (
    <Marked text={text} />
  );
}

function Marked({ text }: { readonly text: string }) {
  const cut = pieces(text);
  if (cut.length === 1 && cut[0]?.mark === undefined) {
    return text;
  }
  return cut.map((piece, index) =>
    piece.mark === undefined ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
      <span key={index}>{piece.text}</span>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
      <mark key={index} className={classes.mark} title={piece.mark}>
        {piece.mark.startsWith("looks") ? piece.text : "␣"}
        <span className={classes.markText}> ({piece.mark})</span>
      </mark>
    ),
  );
}
