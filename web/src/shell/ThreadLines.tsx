/** The sidebar's threads and flow runs: one Tab stop, sorted by who needs a person. */

import { Workflow } from "lucide-react";
import type { SideLine } from "@/shell/lines";
import { isUnread, type Seen, shownStatus } from "@/shell/lines";
import classes from "@/shell/sidebar.module.css";
import { Elapsed } from "@/ui/Ago";
import { RovingList } from "@/ui/RovingList";
import { Status } from "@/ui/Status";

interface Props {
  readonly lines: readonly SideLine[];
  readonly seen: Seen | null;
  readonly shown: string | null;
  readonly onOpen: () => void;
}

/** List threads and runs of flows. */
export function ThreadLines({ lines, seen, shown, onOpen }: Props) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: links inside
    <div className={classes.lines} onClick={onOpen}>
      <RovingList
        label="Threads and flow runs"
        items={lines}
        getKey={(line) => line.id}
        href={(line) => line.href}
        render={(line) => (
          <Line
            line={line}
            isShown={line.id === shown}
            isNew={seen !== null && isUnread(line, seen)}
          />
        )}
      />
    </div>
  );
}

interface LineProps {
  readonly line: SideLine;
  readonly isShown: boolean;
  readonly isNew: boolean;
}

function Line({ line, isShown, isNew }: LineProps) {
  const hasChange = line.insertions + line.deletions > 0;
  return (
    <span className={classes.line} data-shown={isShown} data-new={isNew}>
      <Status status={shownStatus(line)} word="" />
      <span className={classes.lineTitle}>
        {line.isFlow && <Workflow size={12} aria-label="Flow:" role="img" />}
        {line.title.replace(/^Flow: /, line.isFlow ? "" : "Flow: ")}
      </span>
      {isNew && (
        <span className={classes.unread} role="img" aria-label="finished since you looked" />
      )}
      {line.total > 0 && (
        <span className="mono dim">
          {line.done}/{line.total}
        </span>
      )}
      <span className={classes.lineMore}>
        {hasChange && (
          <span className="mono">
            <span className={classes.added}>+{line.insertions}</span>{" "}
            <span className={classes.removed}>−{line.deletions}</span>
          </span>
        )}
        {line.openedAt !== null && (
          <Elapsed
            from={line.openedAt}
            to={line.isWorking || line.status === "waiting" ? null : line.changedAt}
          />
        )}
      </span>
    </span>
  );
}
