/** The lines of a file's change, wherever a change is shown. */

import { Button } from "@mantine/core";
import { memo, type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import classes from "@/diff/diff.module.css";
import { Gap } from "@/diff/Gap";
import {
  isAt,
  keyOf,
  LINE_CHARACTERS,
  type LineRange,
  type Part,
  type Place,
  partsOf,
} from "@/diff/lines";
import { UNMARKED } from "@/diff/marks";
import type { MovedLines } from "@/diff/moved";
import { useIsNear } from "@/diff/near";
import { type FilePatch, type Hunk, pathOf } from "@/diff/patch";
import { Rows } from "@/diff/Rows";
import { useChoosing } from "@/diff/useChoosing";
import { type Marks, useMarks } from "@/diff/useMarks";
import { withoutWhitespace } from "@/diff/whitespace";
import { expand, type Reveal } from "@/diff/whole";
import { useWholeFile } from "@/diff/whole_file";
import { useOpenLine } from "@/ui/OpenIn";

/** Something below a line of a file. */
export interface Note {
  readonly id: string;
  readonly place: Place | null;
  readonly element: ReactNode;
}

/** How changes are looked at. */
export interface DiffLook {
  readonly isSplit: boolean;
  readonly isWhitespaceOff: boolean;
}

interface Props {
  readonly file: FilePatch;
  readonly look: DiffLook;
  /** So many of its first lines are drawn, near or not. */
  readonly drawn: number;
  readonly cursor?: string | null;
  readonly notes?: readonly Note[];
  readonly moved?: MovedLines | undefined;
  /** The file after the change, where it need not be read; null where it is not known. */
  readonly whole?: readonly string[] | null;
  /** What is said where there are no lines. */
  readonly empty?: ReactNode;
  /** Lines that a comment is being written on. */
  readonly range?: LineRange | null | undefined;
  readonly onLines?: OnLines | undefined;
}

/** Hears which lines were chosen, the line that the pointer or a key was last on, and what is shown of the file. */
export type OnLines = (range: LineRange, key: string, hunks: readonly Hunk[]) => void;

const NO_NOTES: readonly Note[] = [];
const NO_WIDGETS: Readonly<Record<string, ReactNode>> = {};
const NO_REVEALS: ReadonlyMap<number, Reveal> = new Map();

/** Show the lines of a file's change, with what is said of them. */
export function DiffBody(props: Props) {
  const { file, look, drawn, cursor = null, notes = NO_NOTES, empty, onLines } = props;
  const box = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(box);
  const [isWholeLines, setWholeLines] = useState(false);
  const shown = useMemo(
    () => (look.isWhitespaceOff ? withoutWhitespace(file) : file),
    [file, look.isWhitespaceOff],
  );
  const [reveals, setReveals] = useState(NO_REVEALS);
  const [of, setOf] = useState(shown);
  if (of !== shown) {
    setOf(shown); // its gaps are others: they are known by the numbers of hunks
    setReveals(NO_REVEALS);
  }
  const read = useWholeFile(file, props.whole === undefined && (isNear || reveals.size > 0));
  const whole = props.whole === undefined ? read : props.whole;
  const { hunks, gaps } = useMemo(
    () => expand(shown.hunks, whole ?? null, reveals),
    [shown, whole, reveals],
  );
  const parts = useMemo(() => partsOf(hunks), [hunks]);
  const marks = useMarks(file, shown.hunks, whole, isNear);
  const lost = notes.filter(({ place }) => place === null || !has(parts, place));
  const reveal = useCallback((number: number, { top, bottom }: Reveal) => {
    setReveals((now) => {
      const there = now.get(number) ?? { top: 0, bottom: 0 };
      return new Map(now).set(number, { top: there.top + top, bottom: there.bottom + bottom });
    });
  }, []);
  const canReveal = whole !== null && file.kind !== "add" && file.kind !== "delete" && !file.isCut;
  const open = useOpenLine();
  const isThere = file.kind !== "delete";
  const openLine = open && isThere ? (line: number) => open(pathOf(file), line) : null;
  const choosing = useChoosing(hunks, cursor, onLines, openLine);
  const gapOf = (index: number) => (canReveal ? (gaps[index] ?? null) : null);
  let hunk = -1;
  return (
    <div ref={box} className={classes.fileBody} data-lines {...choosing.listeners}>
      {lost.length > 0 && <Lost notes={lost} />}
      {marks.isTooLarge && <p className={classes.remark}>Too large to show in colour.</p>}
      {file.longest > LINE_CHARACTERS && !isWholeLines && (
        <p className={classes.remark}>
          Lines longer than {LINE_CHARACTERS} characters are truncated.{" "}
          <Button variant="default" onClick={() => setWholeLines(true)}>
            Show full lines
          </Button>
        </p>
      )}
      {parts.map((part) => {
        hunk += part.title === null ? 0 : 1;
        return (
          <div key={part.key}>
            {part.title !== null && (
              <Gap
                title={part.title}
                first={part.first}
                gap={gapOf(hunk)}
                isBelow={hunk > 0}
                onReveal={reveal}
              />
            )}
            <LazyPart
              part={part}
              look={look}
              isWhole={isWholeLines}
              isAlways={part.before < drawn}
              cursor={cursor}
              notes={notes}
              marks={marks}
              moved={props.moved}
              range={choosing.range ?? props.range ?? null}
            />
          </div>
        );
      })}
      {parts.length > 0 && (
        <Gap title={null} first={null} gap={gapOf(gaps.length - 1)} isBelow onReveal={reveal} />
      )}
      {parts.length === 0 &&
        (file.hunks.length > 0 ? (
          <p className={classes.remark}>Only whitespace changed.</p>
        ) : (
          empty
        ))}
    </div>
  );
}

/** What is said of lines that are not shown. */
function Lost({ notes }: { readonly notes: readonly Note[] }) {
  return (
    <div className={classes.lost}>
      {notes.map(({ id, element }) => (
        <div key={id}>{element}</div>
      ))}
    </div>
  );
}

function has(parts: readonly Part[], place: Place): boolean {
  return parts.some(({ hunk }) => hunk.changes.some((change) => isAt(change, place)));
}

interface PartProps {
  readonly part: Part;
  readonly look: DiffLook;
  readonly isWhole: boolean;
  readonly isAlways: boolean;
  readonly cursor: string | null;
  readonly notes: readonly Note[];
  readonly marks: Marks;
  readonly moved: MovedLines | undefined;
  readonly range: LineRange | null;
}

const LINE_PIXELS = 18;

/** Lines that are drawn while they are near, or always; in colour only while they are near. */
const LazyPart = memo(function LazyPart(props: PartProps) {
  const { part, look, isWhole, isAlways, cursor, notes, marks, moved, range } = props;
  const box = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState(part.hunk.changes.length * LINE_PIXELS);
  const isNear = useIsNear(box, setHeight);
  const widgets = useMemo(() => widgetsOf(part, notes), [part, notes]);
  const isHere = cursor !== null && part.hunk.changes.some((change) => keyOf(change) === cursor);
  const isDrawn = isAlways || isNear;
  return (
    <div
      ref={box}
      className={classes.part}
      style={isDrawn ? { containIntrinsicBlockSize: `auto ${height}px` } : { height }}
    >
      {isDrawn && (
        <Rows
          part={part}
          isSplit={look.isSplit}
          isWhole={isWhole}
          cursor={isHere ? cursor : null}
          widgets={widgets}
          colours={isNear ? marks.colours : UNMARKED}
          edits={isNear ? marks.edits : UNMARKED}
          moved={moved}
          range={range}
        />
      )}
    </div>
  );
});

function widgetsOf(part: Part, notes: readonly Note[]): Readonly<Record<string, ReactNode>> {
  if (notes.length === 0) {
    return NO_WIDGETS;
  }
  const found: Record<string, ReactNode[]> = {};
  for (const { id, place, element } of notes) {
    const change = place && part.hunk.changes.find((one) => isAt(one, place));
    if (change) {
      found[keyOf(change)] = [
        ...(found[keyOf(change)] ?? []),
        <div key={id} className={classes.widget}>
          {element}
        </div>,
      ];
    }
  }
  return found;
}
