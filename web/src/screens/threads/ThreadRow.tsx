/** One thread of the list, with what can be done to it. */

import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Archive, ArchiveRestore, Ellipsis, Pencil, Pin, Trash2 } from "lucide-react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { shownStatus } from "@/api/lines";
import { useRefresh } from "@/api/queries";
import { commandThread } from "@/api/thread_commands";
import classes from "@/screens/threads/threads.module.css";
import { Ago } from "@/ui/Ago";
import { Bar } from "@/ui/Bar";
import { IssueLink } from "@/ui/IssueLink";
import { usePins } from "@/ui/pins";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly line: Schemas["ThreadLine"];
  readonly isActive: boolean;
  readonly onAsk: (what: "rename" | "delete") => void;
}

/** Show a thread; only the active row's controls are Tab stops. */
export function ThreadRow({ line, isActive, onAsk }: Props) {
  const stop = isActive ? 0 : -1;
  const status = shownStatus({ status: line.shown_status, isWorking: line.is_working });
  return (
    <div className={classes.row}>
      <span className={classes.status}>
        <Status status={status} />
      </span>
      <span className={classes.words}>
        <Link href={`/threads/${line.thread_id}`} tabIndex={stop} className={classes.title}>
          <Safe text={line.title || line.goal || line.thread_id} />
        </Link>
        <span className={classes.place}>
          <span className="mono" title={line.project}>
            {line.project.split("/").at(-1)}
          </span>
          {line.issue && <IssueLink issue={line.issue} tabIndex={stop} />}
          {line.opened_by !== "" && (
            <span className={classes.program}>
              by <Safe text={line.opened_by} />
            </span>
          )}
          {line.waiting_for !== "" && (
            <span className={classes.waits}>
              <Safe text={line.waiting_for} />
            </span>
          )}
        </span>
      </span>
      <span className={classes.figures}>
        {line.total > 0 && <Bar done={line.done} total={line.total} />}
        {line.insertions + line.deletions > 0 && (
          <span className="mono">
            <span data-tone="ok">+{line.insertions}</span>{" "}
            <span data-tone="fail">−{line.deletions}</span>
          </span>
        )}
      </span>
      <span className={classes.changed}>
        <Ago at={line.changed_at ?? null} suffix=" ago" />
      </span>
      <Actions line={line} stop={stop} onAsk={onAsk} />
    </div>
  );
}

interface ActionsProps {
  readonly line: Props["line"];
  readonly stop: number;
  readonly onAsk: Props["onAsk"];
}

function Actions({ line, stop, onAsk }: ActionsProps) {
  const refresh = useRefresh(["threads"]);
  const [pins, togglePin] = usePins();
  const command = useCommand((id: string) =>
    commandThread(id, line.thread_id, line.is_archived ? "unarchive" : "archive"),
  );
  const archive = async () => {
    const answer = await command.send();
    refresh();
    if (answer === null) {
      notifications.show({ color: "red", message: "The thread was not changed." });
    }
  };
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          tabIndex={stop}
          loading={command.state === "sending"}
          aria-label={`Actions for ${line.title}`}
        >
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Pin size={14} />} onClick={() => togglePin(line.thread_id)}>
          {pins.has(line.thread_id) ? "Unpin" : "Pin to the sidebar"}
        </Menu.Item>
        <Menu.Item leftSection={<Pencil size={14} />} onClick={() => onAsk("rename")}>
          Rename…
        </Menu.Item>
        <Menu.Item
          leftSection={line.is_archived ? <ArchiveRestore size={14} /> : <Archive size={14} />}
          onClick={() => void archive()}
        >
          {line.is_archived ? "Unarchive" : "Archive"}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={() => onAsk("delete")}>
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
