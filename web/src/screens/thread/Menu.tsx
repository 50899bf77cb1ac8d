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
  type LucideIcon,
  Pin,
  Save,
  ShieldCheck,
  Trash2,
} from "lucide-react";
import { Fragment, useState } from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import type { Role } from "@/api/roles";
import { commandThread, setOwnTurns, type ThreadCommand } from "@/api/thread_commands";
import { ownerOf } from "@/conversation/transcript/commands";
import { useKeys } from "@/keyboard/registry";
import { mergeSession } from "@/screens/thread/commands";
import { Publish } from "@/screens/thread/Publish";
import { Trust } from "@/screens/thread/Trust";
import { DeletionDialog } from "@/screens/threads/DeletionDialog";
import { Failure } from "@/ui/Failure";
import { useLacks } from "@/ui/ForRole";
import { OpenInTemporal } from "@/ui/OpenInTemporal";
import { usePins } from "@/ui/pins";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly session: string | null;
}

type Opened = "publish" | "trust" | "delete" | null;

const USUAL = 10;

/** What can be done: an entry of the menu, and of the palette. */
interface Verb {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly run: () => void;
  readonly needs?: Role;
  readonly isApart?: boolean;
  readonly isGrave?: boolean;
}

/** Offer the rest. */
export function Menu({ thread, session }: Props) {
  const [opened, setOpened] = useState<Opened>(null);
  const [, go] = useLocation();
  const [pins, togglePin] = usePins();
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
  const lacks = useLacks();
  const save = (format: string) => () =>
    location.assign(`/v1/threads/${id}/export?format=${format}`);
  const { is_archived: isArchived } = thread;
  // its workflow starts with its first prompt
  const started = thread.sessions.find((each) => each.session_id === session && each.turns > 0);
  const verbs: readonly Verb[] = [
    ...(session === null
      ? []
      : [
          {
            label: "Merge this session's changes",
            Icon: Save,
            run: () => void merge.send(session),
            needs: "author" as const,
          },
        ]),
    {
      label: "Publish branch…",
      Icon: GitPullRequest,
      run: () => setOpened("publish"),
      needs: "approver",
    },
    {
      label: pins.has(id) ? "Unpin" : "Pin to the sidebar",
      Icon: Pin,
      run: () => togglePin(id),
    },
    { label: "Plan files", Icon: FileText, run: () => go(`/threads/${id}/plan-files`) },
    { label: "Export as Markdown", Icon: Download, run: save("md") },
    { label: "Export all events", Icon: Download, run: save("json") },
    {
      label: "Trust repository…",
      Icon: ShieldCheck,
      run: () => setOpened("trust"),
      needs: "approver",
    },
    {
      label: left > 0 ? `Turn off own turns (${left} left)` : `Allow ${USUAL} own turns`,
      Icon: Bot,
      run: () => void own.send(),
      needs: "author",
    },
    {
      label: isArchived ? "Unarchive" : "Archive",
      Icon: Archive,
      run: () => void command.send(isArchived ? "unarchive" : "archive"),
      needs: "author",
      isApart: true,
    },
    {
      label: "Delete…",
      Icon: Trash2,
      run: () => setOpened("delete"),
      needs: "admin",
      isGrave: true,
    },
  ];
  useKeys(
    "Thread",
    verbs
      .filter(({ needs = "none" }) => lacks[needs] === "")
      .map(({ label, run }) => ({ keys: "", label, run })),
  );
  return (
    <>
      <Dropdown position="bottom-end" withinPortal={false} shadow="sm">
        <Dropdown.Target>
          <ActionIcon size={26} variant="default" aria-label="More thread actions">
            <EllipsisVertical size={15} aria-hidden />
          </ActionIcon>
        </Dropdown.Target>
        <Dropdown.Dropdown>
          {verbs.map(({ label, Icon, run, needs = "none", isApart = false, isGrave = false }) => (
            <Fragment key={label}>
              {isApart && <Dropdown.Divider />}
              <Dropdown.Item
                className={isGrave ? "fail" : ""}
                leftSection={<Icon size={14} aria-hidden />}
                onClick={run}
                disabled={lacks[needs] !== ""}
                title={lacks[needs]}
              >
                {label}
              </Dropdown.Item>
            </Fragment>
          ))}
          <Dropdown.Divider />
          <OpenInTemporal workflow={id} />
          {started && (
            <OpenInTemporal workflow={started.session_id} label="Open this session in Temporal" />
          )}
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
