/** Some lines of a change, in one column or two. */

import { Fragment, memo, type ReactNode } from "react";
import classes from "@/diff/diff.module.css";
import {
  isIn,
  keyOf,
  LINE_CHARACTERS,
  type LineRange,
  numberOn,
  type Part,
  placeOf,
  rowsOf,
  type Side,
} from "@/diff/lines";
import { type Marked, UNMARKED } from "@/diff/marks";
import type { MovedLines } from "@/diff/moved";
import type { Change } from "@/diff/patch";
import { Coloured } from "@/ui/Coloured";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly part: Part;
  readonly isSplit: boolean;
  /** Long lines are drawn whole. */
  readonly isWhole: boolean;
  /** The line that the keys are on, by its key. */
  readonly cursor: string | null;
  /** What stands below lines, by their keys. */
  readonly widgets: Readonly<Record<string, ReactNode>>;
  readonly colours: Marked;
  readonly edits: Marked;
  readonly moved: MovedLines | undefined;
  /** Lines that a comment is being written on. */
  readonly range: LineRange | null;
}

/** Draw the lines of a part. */
export const Rows = memo(function Rows(props: Props) {
  return props.isSplit ? <Split {...props} /> : <Unified {...props} />;
});

function Unified(props: Props) {
  const { part, cursor, widgets, range } = props;
  return (
    <table className={classes.lines}>
      <colgroup>
        <col className={classes.numbers} />
        <col className={classes.numbers} />
        <col />
      </colgroup>
      <tbody>
        {part.hunk.changes.map((change) => {
          const key = keyOf(change);
          const widget = widgets[key];
          return (
            <Fragment key={key}>
              <tr
                className={classes.line}
                data-line
                data-key={key}
                data-type={change.type}
                data-selected={key === cursor || undefined}
                data-range={(range !== null && isIn(change, range)) || undefined}
              >
                <Gutter change={change} side="old" />
                <Gutter change={change} side="new" />
                <Content {...props} change={change} side={placeOf(change).side} />
              </tr>
              {widget !== undefined && (
                <tr>
                  <td colSpan={3}>{widget}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Split(props: Props) {
  const { part, cursor, widgets } = props;
  return (
    <table className={classes.lines} data-split>
      <colgroup>
        <col className={classes.numbers} />
        <col />
        <col className={classes.numbers} />
        <col />
      </colgroup>
      <tbody>
        {rowsOf(part.hunk.changes).map(([before, after]) => {
          const keys = [before, after].flatMap((change) => (change ? [keyOf(change)] : []));
          const below = [...new Set(keys)].flatMap((key) => widgets[key] ?? []);
          return (
            <Fragment key={keys.join()}>
              <tr className={classes.line} data-line data-key={keys.at(-1)}>
                <Half {...props} change={before} side="old" cursor={cursor} />
                <Half {...props} change={after} side="new" cursor={cursor} />
              </tr>
              {below.length > 0 && (
                <tr>
                  <td colSpan={4}>{below}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function Half(props: Props & { readonly change: Change | null; readonly side: Side }) {
  const { change, side, cursor, range } = props;
  if (change === null) {
    return (
      <>
        <td className={classes.nothing} />
        <td className={classes.nothing} />
      </>
    );
  }
  return (
    <>
      <Gutter change={change} side={side} />
      <Content
        {...props}
        change={change}
        side={side}
        isSelected={
          (cursor !== null && keyOf(change) === cursor) ||
          (range !== null && range.side === side && isIn(change, range))
        }
      />
    </>
  );
}

/** The number of a line, where it has one on a side; a click on it begins a comment. */
function Gutter({ change, side }: { readonly change: Change; readonly side: Side }) {
  const number = numberOn(change, side);
  return (
    <td
      className={classes.gutter}
      data-gutter={keyOf(change)}
      data-type={change.type}
      data-number={number ?? undefined}
    />
  );
}

interface ContentProps extends Props {
  readonly change: Change;
  readonly side: Side;
  readonly isSelected?: boolean;
}

function Content(props: ContentProps) {
  const { change, side, isWhole, isSelected, colours, edits } = props;
  const { content, type } = change;
  const moved = type === "normal" ? undefined : props.moved?.get(keyOf(change));
  const isCut = !isWhole && content.length > LINE_CHARACTERS;
  const line = numberOn(change, side) ?? 0;
  return (
    <td
      className={classes.content}
      data-type={type}
      data-moved={moved && true}
      data-selected={isSelected || undefined}
    >
      {moved !== undefined && moved.words !== "" && (
        <span className={classes.moved}>
          <Safe text={moved.words} />
        </span>
      )}
      <Coloured
        text={isCut ? content.slice(0, LINE_CHARACTERS) : content}
        spans={colours === UNMARKED ? NONE : colours(side, line)}
        edits={type === "normal" ? NONE : edits(side, line)}
      />
      {isCut && <em className="dim">… {content.length - LINE_CHARACTERS} characters more</em>}
    </td>
  );
}

const NONE = [] as const;
