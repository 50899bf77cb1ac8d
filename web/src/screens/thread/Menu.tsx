/** What else can be done to a thread: seldom, so in a menu. */

import { ActionIcon, Menu as Dropdown } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import {
  Archive,
  Bot,
  Download,
  EllipsisVertical,
  FileText,
  GitPullRequest,
  Save,
  ShieldCheck,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { commandThread, setOwnTurns, type ThreadCommand } from "@/api/thread_commands";
import { ownerOf } from "@/conversation/transcript/commands";
import { mergeSession } from "@/screens/thread/commands";
import { Publish } from "@/screens/thread/Publish";
import { Trust } from "@/screens/thread/Trust";
import { DeletionDialog } from "@/screens/threads/DeletionDialog";
import { Failure } from "@/ui/Failure";
import { OpenInTemporal } from "@/ui/OpenInTemporal";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly session: string | null;
}

type Opened = "publish" | "trust" | "delete" | null;

const USUAL = 10;
const ICON = { size: 14, "aria-hidden": true } as const;

/** Offer the rest. */
export function Menu({ thread, session }: Props) {
  const [opened, setOpened] = useState<Opened>(null);
  const [, go] = useLocation();
  const id = thread.thread_id;
  const command = useCommand((commandId: string, what: ThreadCommand) =>
    commandThread(commandId, id, what),
  );
  const { left } = thread.running.own_turns;
  const own = useCommand((commandId: string) => setOwnTurns(commandId, id, left > 0 ? 0 : USUAL));
  const merge = useCommand((commandId: string, of: string) =>
    mergeSession(commandId, id, ownerOf(of).number),
  );
  const close = () => setOpened(null);
  const exported = (format: string) => `/v1/threads/${id}/export?format=${format}`;
  return (
    <>
      <Dropdown position="bottom-end" withinPortal={false} shadow="sm">
        <Dropdown.Target>
          <ActionIcon size={26} variant="default" aria-label="More thread actions">
            <EllipsisVertical size={15} aria-hidden />
          </ActionIcon>
        </Dropdown.Target>
        <Dropdown.Dropdown>
          {session !== null && (
            <Dropdown.Item
              leftSection={<Save {...ICON} />}
              onClick={() => void merge.send(session)}
            >
              Merge this session's changes
            </Dropdown.Item>
          )}
          <Dropdown.Item
            leftSection={<GitPullRequest {...ICON} />}
            onClick={() => setOpened("publish")}
          >
            Publish branch…
          </Dropdown.Item>
          <Dropdown.Item
            leftSection={<FileText {...ICON} />}
            onClick={() => go(`/threads/${id}/plan-files`)}
          >
            Plan files
          </Dropdown.Item>
          <Dropdown.Item
            component="a"
            href={exported("md")}
            download
            leftSection={<Download {...ICON} />}
          >
            Export as Markdown
          </Dropdown.Item>
          <Dropdown.Item
            component="a"
            href={exported("json")}
            download
            leftSection={<Download {...ICON} />}
          >
            Export all events
          </Dropdown.Item>
          <Dropdown.Item leftSection={<ShieldCheck {...ICON} />} onClick={() => setOpened("trust")}>
            Trust repository…
          </Dropdown.Item>
          <Dropdown.Item
            leftSection={<Bot {...ICON} />}
            title="Turns that the agent takes without a message, when something happens in the plan"
            onClick={() => void own.send()}
          >
            {left > 0 ? `Turn off own turns (${left} left)` : `Allow ${USUAL} own turns`}
          </Dropdown.Item>
          <OpenInTemporal workflow={id} />
          {session !== null && (
            <OpenInTemporal workflow={session} label="Open this session in Temporal" />
          )}
          <Dropdown.Divider />
          <Dropdown.Item
            leftSection={<Archive {...ICON} />}
            onClick={() => void command.send(thread.is_archived ? "unarchive" : "archive")}
          >
            {thread.is_archived ? "Unarchive" : "Archive"}
          </Dropdown.Item>
          <Dropdown.Item
            className="fail"
            leftSection={<Trash2 {...ICON} />}
            onClick={() => setOpened("delete")}
          >
            Delete…
          </Dropdown.Item>
        </Dropdown.Dropdown>
      </Dropdown>
      {opened === "publish" && <Publish thread={thread} close={close} />}
      {opened === "trust" && <Trust repository={thread.repository} close={close} />}
      {opened === "delete" && (
        <DeletionDialog
          thread={id}
          title={thread.topic || thread.goal}
          onClose={close}
          onDeleted={(message) => {
            notifications.show({ message });
            go("/threads");
          }}
        />
      )}
      <Failure problem={command.problem ?? merge.problem ?? own.problem} />
    </>
  );
}
