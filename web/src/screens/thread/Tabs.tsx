/** The sessions of a thread as tabs; one more is opened with the plus. */

import { ActionIcon, Button, Popover, Switch } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommand } from "@/api/commands";
import { useKeys } from "@/keyboard/registry";
import { openSession } from "@/screens/thread/commands";
import { sessionStatusOf, type Tab } from "@/screens/thread/sessions";
import classes from "@/screens/thread/thread.module.css";
import {
  type AgentChoice,
  AgentPicker,
  asBody,
  DEFAULT_AGENT,
  ModelFields,
} from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Status } from "@/ui/Status";
import { TabList } from "@/ui/TabList";

interface Props {
  readonly threadId: string;
  readonly repository: string;
  /** The thread's agent: who works in one more session unless another is chosen. */
  readonly agent: string;
  readonly tabs: readonly Tab[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
  readonly isLive: boolean;
}

/** Show the tabs; those that are archived come out with the last one. */
export function Tabs({ threadId, repository, agent, tabs, chosen, onChoose, isLive }: Props) {
  const [isAll, setAll] = useState(false);
  const archived = tabs.filter((tab) => tab.view.is_archived);
  const shown = tabs.filter((tab) => isAll || !tab.view.is_archived || tab.name === chosen);
  useKeys(
    "Sessions",
    shown.slice(0, 9).map((tab, index) => ({
      keys: String(index + 1),
      label: `Session ${tab.label}`,
      run: () => onChoose(tab.name),
    })),
  );
  return (
    <div className={classes.tabs}>
      <TabList
        label="Sessions"
        chosen={chosen}
        onChoose={onChoose}
        tabs={shown.map(({ name, label, view }) => ({
          name,
          isArchived: view.is_archived,
          title: `${name}, ${view.role}${view.is_archived ? ", archived" : ""}`,
          content: (
            <>
              <Status status={sessionStatusOf(view)} word="" />
              {label}
            </>
          ),
        }))}
      />
      {archived.length > 0 && (
        <Button variant="subtle" color="gray" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? "Hide archived" : `${archived.length} archived`}
        </Button>
      )}
      {isLive && (
        <NewSession threadId={threadId} repository={repository} agent={agent} onOpened={onChoose} />
      )}
    </div>
  );
}

interface NewProps {
  readonly threadId: string;
  readonly repository: string;
  readonly agent: string;
  readonly onOpened: (name: string) => void;
}

function NewSession({ threadId, repository, agent, onOpened }: NewProps) {
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState<AgentChoice>({ ...DEFAULT_AGENT, agent });
  const [hasOwn, setOwn] = useState(true);
  const command = useCommand((id: string) =>
    openSession(id, threadId, { ...asBody(choice), has_own_worktree: hasOwn }),
  );
  const send = async () => {
    const answer = await command.send();
    if (answer !== null) {
      setOpen(false);
      const opened = answer.data?.session_id;
      if (typeof opened === "string") {
        onOpened(opened.split("/").at(-1) ?? opened);
      }
    }
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      withinPortal={false}
      position="bottom-start"
    >
      <Popover.Target>
        <ActionIcon
          size={26}
          variant="subtle"
          color="gray"
          aria-label="New session"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Plus size={15} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.pop}>
        <h2>New session</h2>
        <AgentPicker value={choice} onChange={setChoice} repository={repository} hasModel={false} />
        <ModelFields value={choice} onChange={setChoice} repository={repository} />
        <Switch
          size="xs"
          checked={hasOwn}
          onChange={(event) => setOwn(event.currentTarget.checked)}
          label="Own worktree"
          description="Otherwise it takes turns in the directory shared by the thread's chats."
        />
        <Failure problem={command.problem} />
        <CommandButton command={command} onClick={() => void send()}>
          Open
        </CommandButton>
      </Popover.Dropdown>
    </Popover>
  );
}
