/** A line with its pieces in colour, and those that changed within it marked. */

import { Fragment, type ReactNode } from "react";
import { KINDS } from "@/ui/background/kinds";
import type { Span } from "@/ui/background/spans";
import { Safe } from "@/ui/Safe";
import { isSuspicious } from "@/ui/suspicious_text";

const NONE: readonly Span[] = [];

interface Props {
  readonly text: string;
  readonly spans: readonly Span[];
  /** What changed within the line. */
  readonly edits?: readonly Span[];
}

/**
 * Show a line.
 *
 * One that may be read otherwise than it is has no colours: where a piece begins depends on its neighbours.
 */
export function Coloured({ text, spans, edits = NONE }: Props): ReactNode {
  const colours = isSuspicious(text) ? NONE : spans;
  if (colours.length === 0 && edits.length === 0) {
    return <Safe text={text} />;
  }
  return piecesOf(text.length, colours, edits).map(({ begin, end, kind, isEdit }) => {
    const piece = <Safe text={text.slice(begin, end)} />;
    if (kind === 0 && !isEdit) {
      return <Fragment key={begin}>{piece}</Fragment>;
    }
    return (
      <span
        key={begin}
        data-edit={isEdit || undefined}
        data-code={kind === 0 ? undefined : KINDS[kind]}
      >
        {piece}
      </span>
    );
  });
}

interface Piece {
  readonly begin: number;
  readonly end: number;
  readonly kind: number;
  readonly isEdit: boolean;
}

/** Cut a line where a colour or an edit begins or ends. */
export function piecesOf(
  length: number,
  spans: readonly Span[],
  edits: readonly Span[],
): readonly Piece[] {
  const cuts = new Set([0, length]);
  for (const { begin, end } of [...spans, ...edits]) {
    cuts.add(Math.min(begin, length)).add(Math.min(end, length));
  }
  const places = [...cuts].sort((a, b) => a - b);
  let [colour, edit] = [0, 0];
  return places.slice(0, -1).map((begin, index) => {
    while ((spans[colour]?.end ?? length) <= begin && colour < spans.length) {
      colour++;
    }
    while ((edits[edit]?.end ?? length) <= begin && edit < edits.length) {
      edit++;
    }
    const at = spans[colour];
    const changed = edits[edit];
    return {
      begin,
      end: places[index + 1] ?? length,
      kind: at !== undefined && at.begin <= begin ? at.kind : 0,
      isEdit: changed !== undefined && changed.begin <= begin,
    };
  });
}
