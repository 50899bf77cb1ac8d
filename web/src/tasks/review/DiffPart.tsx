/** Some lines of a change, drawn by react-diff-view while they are near the reader. */

import { type MouseEvent, memo, type ReactNode, useMemo } from "react";
import { Diff, Hunk, type TokenNode } from "react-diff-view";
import { keyOf, type Part, type Place, paired, placeOf, tokensOf } from "@/tasks/review/lines";
import type { Change, FileKind } from "@/tasks/review/patch";
import { Safe } from "@/ui/Safe";
import { isSuspicious } from "@/ui/suspicious_text";

interface Props {
  readonly part: Part;
  readonly kind: FileKind;
  readonly isSplit: boolean;
  /** Long lines are drawn whole. */
  readonly isWhole: boolean;
  /** The line that the keys are on, by its key. */
  readonly cursor: string | null;
  /** What stands below lines, by their keys. */
  readonly widgets: Record<string, ReactNode>;
  /** A line was clicked; with Ctrl or ⌘ it is to be opened in an editor. */
  readonly onLine: (place: Place, key: string, isOpened: boolean) => void;
}

/** Draw the lines of a part. */
export const DiffPart = memo(function DiffPart(props: Props) {
  const { part, kind, isSplit, isWhole, cursor, widgets, onLine } = props;
  const hunk = useMemo(() => (isSplit ? paired(part.hunk) : part.hunk), [part, isSplit]);
  const tokens = useMemo(() => tokensOf(part.hunk, isWhole, isSuspicious), [part, isWhole]);
  const events = useMemo(
    () => ({
      onClick: ({ change }: { change: unknown }, event: MouseEvent) => {
        if (change !== null) {
          const line = change as Change;
          onLine(placeOf(line), keyOf(line), event.ctrlKey || event.metaKey);
        }
      },
    }),
    [onLine],
  );
  return (
    <Diff
      viewType={isSplit ? "split" : "unified"}
      diffType={kind}
      hunks={[hunk]}
      tokens={tokens}
      renderToken={drawn}
      widgets={widgets}
      selectedChanges={cursor === null ? NONE : [cursor]}
      gutterEvents={events}
    >
      {([one]) => (one === undefined ? [] : [<Hunk key={part.key} hunk={one} />])}
    </Diff>
  );
});

const NONE: string[] = [];

function drawn(token: TokenNode, _: unknown, index: number): ReactNode {
  const text = <Safe text={String(token.value)} />;
  switch (token.type) {
    case "edit":
      return (
        <span key={index} className="diff-code-edit">
          {text}
        </span>
      );
    case "cut":
      return (
        <em key={index} className="dim">
          {text}
        </em>
      );
    default:
      return <span key={index}>{text}</span>;
  }
}
