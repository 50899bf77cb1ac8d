/** The sidebar's threads and flow runs: one Tab stop, what is pinned, waits and runs before the rest. */

import { Workflow } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import {
  grouped,
  isGoingOn,
  isUnread,
  type Seen,
  type ShownGroup,
  type SideLine,
  shortened,
  shownStatus,
} from "@/api/lines";
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

const MOST = 20;

/** The lists that have all of a group; of a repository there is its own. */
const WHOLE: Readonly<Record<string, string>> = {
  "Needs you": "/threads?view=list&status=waiting",
  Running: "/threads?view=list&status=running",
  "No repository": "/threads?view=list",
};

/** List threads and runs of flows; of each group the first, as a thousand lines are read by nobody. */
export function ThreadLines({ lines, seen, shown, onOpen }: Props) {
  const [pins] = usePins();
  const groups = shortened(grouped(lines, pins), MOST, shown);
  const heads = new Map(
    groups.map((group) => [group.lines[0]?.id, <Head key={group.name} of={group} />]),
  );
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

function Head({ of: { name, lines, count } }: { readonly of: ShownGroup }) {
  const whole = WHOLE[name] ?? `/threads?view=list&project=${encodeURIComponent(name)}`;
  return count > lines.length ? (
    <>
      {name} <Link href={whole}>all {count}</Link>
    </>
  ) : (
    name
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
