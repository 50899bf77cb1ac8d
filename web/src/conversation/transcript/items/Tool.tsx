/** A tool that an agent used: what for, how it went, and what it gave. */

import {
  Brain,
  CircleCheck,
  CircleDashed,
  CircleX,
  FileSearch,
  LoaderCircle,
  type LucideIcon,
  Pencil,
  Search,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import { useMemo } from "react";
import type { ToolItem, ToolPart } from "@/conversation/projection/items";
import { Fold } from "@/conversation/transcript/items/Fold";
import { Long } from "@/conversation/transcript/Long";
import { shortPath } from "@/conversation/transcript/paths";
import classes from "@/conversation/transcript/transcript.module.css";
import { DiffBlock } from "@/diff/DiffBlock";
import { textPatch } from "@/diff/text_diff";
import { formatDuration } from "@/format";
import { Ansi } from "@/ui/Ansi";
import { Safe } from "@/ui/Safe";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  read: FileSearch,
  edit: Pencil,
  execute: SquareTerminal,
  search: Search,
  think: Brain,
};

const STATES = {
  pending: [CircleDashed, "pending"],
  in_progress: [LoaderCircle, "running"],
  completed: [CircleCheck, "done"],
  failed: [CircleX, "failed"],
} as const;

/** Show a tool call; edits are open, the rest is one line until somebody wants more. */
export function Tool({ item }: { readonly item: ToolItem }) {
  const Icon = ICONS[item.use] ?? Wrench;
  const [Mark, word] = STATES[item.status];
  const hasMore = item.parts.length > 0 || item.input !== "" || item.places.length > 0;
  const head = (
    <>
      <Mark
        size={14}
        className={classes.toolMark}
        data-status={item.status}
        role="img"
        aria-label={word}
      />
      <Icon size={14} className={classes.toolIcon} aria-hidden />
      <span className={classes.toolTitle}>
        <Safe text={titleOf(item)} />
      </span>
    </>
  );
  if (!hasMore) {
    return <div className={classes.foldHead}>{head}</div>;
  }
  return (
    <Fold name={item.key} head={head} tail={<Tail item={item} />} isOpen={isShort(item)}>
      {() => <ToolDetails item={item} />}
    </Fold>
  );
}

function titleOf(item: ToolItem): string {
  const title = item.title.split("\n", 1)[0] ?? "";
  return title.length > 300 ? `${title.slice(0, 299)}…` : title;
}

function diffsOf(item: ToolItem) {
  return item.parts.filter((part) => part.kind === "diff");
}

/** A change that is read at one glance. */
function isShort(item: ToolItem): boolean {
  const diffs = diffsOf(item);
  const size = diffs.reduce((sum, diff) => sum + diff.newText.length + diff.oldText.length, 0);
  return diffs.length > 0 && size < 8000;
}

function Tail({ item }: { readonly item: ToolItem }) {
  const sums = useMemo(
    () =>
      diffsOf(item)
        .filter((diff) => diff.oldText.length + diff.newText.length < 200_000)
        .flatMap((diff) => textPatch(diff.oldText, diff.newText) ?? []),
    [item],
  );
  const ms = item.endedAt === null ? 0 : Date.parse(item.endedAt) - Date.parse(item.at);
  if (sums.length > 0) {
    const added = sums.reduce((sum, one) => sum + one.insertions, 0);
    const removed = sums.reduce((sum, one) => sum + one.deletions, 0);
    return (
      <span className="mono">
        <span className="ok">+{added}</span> <span className="fail">−{removed}</span>
      </span>
    );
  }
  return item.endedAt === null || ms < 50 ? null : formatDuration(ms, 1);
}

function ToolDetails({ item }: { readonly item: ToolItem }) {
  const isShown = item.input === "" || item.title.includes(item.input) || diffsOf(item).length > 0;
  return (
    <>
      {!isShown && <Long text={item.input} />}
      {item.places.length > 0 && item.parts.every((part) => part.kind !== "diff") && (
        <div className={classes.places}>
          {item.places.slice(0, 20).map((place) => (
            <code key={place} title={place}>
              <Safe text={shortPath(place)} />
            </code>
          ))}
        </div>
      )}
      {item.parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name than their place
        <Part key={index} part={part} />
      ))}
    </>
  );
}

function Part({ part }: { readonly part: ToolPart }) {
  switch (part.kind) {
    case "diff":
      return (
        <>
          <div className={classes.places}>
            <code title={part.path}>
              <Safe text={shortPath(part.path)} />
            </code>
          </div>
          <DiffBlock path={shortPath(part.path)} oldText={part.oldText} newText={part.newText} />
        </>
      );
    case "terminal":
      return <p className="dim">Terminal {part.id}: see the Terminals tab for its output.</p>;
    case "text":
      return (
        <Long text={part.text.replace(/^\n+|\n+$/g, "")}>{(text) => <Ansi text={text} />}</Long>
      );
  }
}
