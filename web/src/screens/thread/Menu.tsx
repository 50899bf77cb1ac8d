/** What else can be done to a thread: seldom, so in a menu. */

import { ActionIcon, Menu as Dropdown } from "@mantine/core";
import {
  Archive,
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
import { ownerOf } from "@/conversation/transcript/commands";
import { keep, type PlainCommand, plain } from "@/screens/thread/commands";
import { Deletion } from "@/screens/thread/Deletion";
import { Publish } from "@/screens/thread/Publish";
import { Trust } from "@/screens/thread/Trust";
import classes from "@/screens/thread/thread.module.css";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly session: string | null;
}

type Opened = "publish" | "trust" | "delete" | null;

const ICON = { size: 14, "aria-hidden": true } as const;

/** Offer the rest. */
export function Menu({ thread, session }: Props) {
  const [opened, setOpened] = useState<Opened>(null);
  const [, go] = useLocation();
  const id = thread.thread_id;
  const command = useCommand((commandId: string, what: PlainCommand) => plain(commandId, id, what));
  const keeping = useCommand((commandId: string, of: string) =>
    keep(commandId, id, ownerOf(of).number),
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
              onClick={() => void keeping.send(session)}
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
          <Dropdown.Divider />
          <Dropdown.Item
            leftSection={<Archive {...ICON} />}
            onClick={() => void command.send(thread.is_archived ? "unarchive" : "archive")}
          >
            {thread.is_archived ? "Unarchive" : "Archive"}
          </Dropdown.Item>
          <Dropdown.Item
            className={classes.danger}
            leftSection={<Trash2 {...ICON} />}
            onClick={() => setOpened("delete")}
          >
            Delete…
          </Dropdown.Item>
        </Dropdown.Dropdown>
      </Dropdown>
      {opened === "publish" && <Publish thread={thread} close={close} />}
      {opened === "trust" && <Trust repository={thread.repository} close={close} />}
      {opened === "delete" && <Deletion thread={thread} close={close} />}
      <Failure problem={command.problem ?? keeping.problem} />
    </>
  );
}
