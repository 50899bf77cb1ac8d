/** What can be done to a thread in a list or on the board. */

import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { Archive, ArchiveRestore, Ellipsis, Pencil, Pin, Trash2 } from "lucide-react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { commandThread } from "@/api/thread_commands";
import { usePins } from "@/ui/pins";

interface Props {
  readonly line: Schemas["ThreadLine"];
  /** The `tabIndex` of its button. */
  readonly stop: number;
  readonly onAsk: (what: "rename" | "delete", line: Schemas["ThreadLine"]) => void;
}

/** Offer to pin, rename, archive and delete it. */
export function ThreadActions({ line, stop, onAsk }: Props) {
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
        <Menu.Item leftSection={<Pencil size={14} />} onClick={() => onAsk("rename", line)}>
          Rename…
        </Menu.Item>
        <Menu.Item
          leftSection={line.is_archived ? <ArchiveRestore size={14} /> : <Archive size={14} />}
          onClick={() => void archive()}
        >
          {line.is_archived ? "Unarchive" : "Archive"}
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<Trash2 size={14} />}
          onClick={() => onAsk("delete", line)}
        >
          Delete…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
