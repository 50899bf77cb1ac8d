/** The sidebar's threads and flow runs: one Tab stop, what is pinned, waits and runs before the rest. */

import { Workflow } from "lucide-react";
import { memo } from "react";
import { grouped, isGoingOn, isUnread, type Seen, type SideLine, shownStatus } from "@/api/lines";
import classes from "@/shell/sidebar.module.css";
import { Ago, Elapsed } from "@/ui/Ago";
import { usePins } from "@/ui/pins";
import { RovingList } from "@/ui/RovingList";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly lines: readonly SideLine[];
  readonly seen: Seen | null;
  readonly shown: string | null;
  readonly onOpen: () => void;
}

/** List threads and runs of flows. */
export function ThreadLines({ lines, seen, shown, onOpen }: Props) {
  const [pins] = usePins();
  const groups = grouped(lines, pins);
  const heads = new Map(groups.map(({ name, lines: [first] }) => [first?.id, name]));
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: links inside
    <div className={classes.lines} onClick={onOpen}>
      <RovingList
        label="Threads and flow runs"
        items={groups.flatMap((group) => group.lines)}
        heading={(line) => heads.get(line.id)}
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

const Line = memo(function Line({ line, isShown, isNew }: LineProps) {
  const hasChange = line.insertions + line.deletions > 0;
  return (
    <span className={classes.line} data-shown={isShown} data-new={isNew}>
      <Status status={shownStatus(line)} word="" />
      <span className={classes.lineTitle}>
        {line.isFlow && <Workflow size={12} aria-label="Flow:" role="img" />}
        <Safe text={line.isFlow ? line.title.replace(/^Flow: /, "") : line.title} />
      </span>
      {isNew && (
        <span className={classes.unread} role="img" aria-label="finished since your last visit" />
      )}
      <span className={classes.lineTime}>
        {isGoingOn(line)
          ? line.openedAt !== null && <Elapsed from={line.openedAt} to={null} isShort />
          : !line.isFlow && <Ago at={line.changedAt} suffix=" ago" isShort />}
      </span>
      {(line.total > 0 || hasChange) && (
        <span className={classes.lineMore}>
          {line.total > 0 && (
            <span>
              {line.done}/{line.total}
            </span>
          )}
          {hasChange && (
            <span>
              <span className="ok">+{line.insertions}</span>{" "}
              <span className="fail">−{line.deletions}</span>
            </span>
          )}
        </span>
      )}
    </span>
  );
});
