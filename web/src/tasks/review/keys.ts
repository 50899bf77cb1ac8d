/** The keys of a review: files, hunks, lines, comments, marks. */

import type { RefObject } from "react";
import { useLocation } from "wouter";
import { keyOf, type Place, placeOf } from "@/diff/lines";
import { type FilePatch, pathOf } from "@/diff/patch";
import { useKeys } from "@/keyboard/registry";
import { type Cursor, fileAt, stepFile, stepHunk, stepLine } from "@/tasks/review/jumps";
import type { ReviewLayout } from "@/tasks/review/useReviewLayout";
import type { Viewed } from "@/tasks/review/viewed_files";

interface Keys {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly files: readonly FilePatch[];
  readonly cursor: Cursor | null;
  readonly setCursor: (cursor: Cursor | null) => void;
  readonly setCurrent: (path: string) => void;
  readonly viewed: Viewed;
  readonly begin: (path: string, place: Place) => void;
  readonly look: ReviewLayout;
  /** Where files are looked for. */
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Register the keys of a review. */
export function useReviewKeys(keys: Keys): void {
  const { scroller, files, cursor, setCursor, setCurrent, viewed, begin, look, field } = keys;
  const [, navigate] = useLocation();
  const inside = (act: (element: HTMLElement) => void) => () => {
    if (scroller.current) {
      act(scroller.current);
    }
  };
  const file = (by: 1 | -1) =>
    inside((element) => {
      const path = stepFile(element, by);
      if (path !== null) {
        setCurrent(path);
        setCursor(null);
      }
    });
  const hunk = (by: 1 | -1) => inside((element) => setCursor(stepHunk(element, by) ?? cursor));
  const line = (by: 1 | -1) =>
    inside((element) => setCursor(stepLine(element, cursor, by) ?? cursor));
  const mark = inside((element) => {
    const path = fileAt(element);
    const found = files.find((one) => pathOf(one) === path);
    if (found) {
      viewed.set(found, !viewed.has(found));
    }
  });
  const comment = inside((element) => {
    const on = cursor ?? stepLine(element, null, 1);
    const place = on === null ? null : placeIn(files, on);
    if (on !== null && place !== null) {
      setCursor(on);
      begin(on.path, place);
    }
  });
  useKeys("Review", [
    { keys: "j", label: "Next file", run: file(1) },
    { keys: "k", label: "Previous file", run: file(-1) },
    { keys: "n", label: "Next hunk", run: hunk(1) },
    { keys: "p", label: "Previous hunk", run: hunk(-1) },
    { keys: "Alt+ArrowDown", label: "Next line", run: line(1) },
    { keys: "Alt+ArrowUp", label: "Previous line", run: line(-1) },
    { keys: "c", label: "Comment on line", run: comment },
    { keys: "v", label: "Mark file as viewed", run: mark },
    { keys: "s", label: "Toggle unified/split", run: look.toggleSplit },
    { keys: "w", label: "Hide or show whitespace changes", run: look.toggleWhitespace },
    { keys: "/", label: "Find files", run: () => field.current?.focus() },
    { keys: "Escape", label: "Back to task", run: () => navigate(look.back) },
  ]);
}

function placeIn(files: readonly FilePatch[], on: Cursor): Place | null {
  const found = files.find((one) => pathOf(one) === on.path);
  for (const { changes } of found?.hunks ?? []) {
    const change = changes.find((one) => keyOf(one) === on.key);
    if (change) {
      return placeOf(change);
    }
  }
  return null;
}
