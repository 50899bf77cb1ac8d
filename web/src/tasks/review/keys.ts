/** The keys of a review: files, hunks, lines, comments, marks. */

import type { RefObject } from "react";
import { useLocation } from "wouter";
import { rangeBetween } from "@/diff/lines";
import { type FilePatch, pathOf } from "@/diff/patch";
import { useKeys } from "@/keyboard/registry";
import { type Cursor, fileAt, stepFile, stepHunk, stepLine } from "@/tasks/review/jumps";
import type { Notes } from "@/tasks/review/useNotes";
import type { ReviewLayout } from "@/tasks/review/useReviewLayout";
import type { Viewed } from "@/tasks/review/viewed_files";

interface Keys {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly files: readonly FilePatch[];
  readonly cursor: Cursor | null;
  readonly setCursor: (cursor: Cursor | null) => void;
  readonly setCurrent: (path: string) => void;
  readonly viewed: Viewed;
  readonly begin: Notes["begin"];
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
    const hunks = files.find((one) => pathOf(one) === on?.path)?.hunks ?? [];
    const range = on === null ? null : rangeBetween(hunks, on.key, on.key);
    if (on !== null && range !== null) {
      setCursor(on);
      begin(on.path, range, hunks);
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
