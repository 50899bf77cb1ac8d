/** The sessions of a task as tabs, those of earlier runs folded, and [+] for one more. */

import { Button, Menu, Popover } from "@mantine/core";
import { Plus } from "lucide-react";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useKeys } from "@/keyboard/registry";
import { labelOf } from "@/tasks/sessions";
import classes from "@/tasks/task.module.css";
import { type AgentChoice, AgentPicker, asBody, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Status } from "@/ui/Status";
import { TabList } from "@/ui/TabList";

type TaskView = Schemas["TaskView"];

interface Props {
  readonly threadId: string;
  readonly task: TaskView;
  readonly chosen: string | null;
  readonly onChoose: (session: string) => void;
  /** Without it nothing can be opened: it is a moment of the past. */
  readonly isLive: boolean;
}

/** Show the tabs; 1 to 9 go to them. */
export function Sessions({ threadId, task, chosen, onChoose, isLive }: Props) {
  const { sessions, earlier_sessions: earlier } = task;
  useKeys(
    "Sessions",
    sessions.slice(0, 9).map((session, index) => ({
      keys: `${index + 1}`,
      label: `Session ${labelOf(session, sessions)}`,
      run: () => onChoose(session.session_id),
    })),
  );
  const shown = earlier.find((session) => session.session_id === chosen);
  const tabs = shown ? [...sessions, shown] : sessions;
  return (
    <div className={classes.sessions}>
      <TabList
        label="Sessions"
        chosen={chosen}
        onChoose={onChoose}
        tabs={tabs.map((session) => ({
          name: session.session_id,
          content: (
            <>
              {session.is_working && <Status status="running" word="" />}
              {labelOf(session, sessions)}
              {session === shown && <span className="dim"> earlier run</span>}
            </>
          ),
        }))}
      />
      {earlier.length > 0 && (
        <Menu withinPortal={false} position="bottom-start">
          <Menu.Target>
            <Button variant="subtle">Earlier runs ({earlier.length})</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {earlier.map((session) => (
              <Menu.Item key={session.session_id} onClick={() => onChoose(session.session_id)}>
                {session.session_id.split("/").at(-1)} · {labelOf(session, earlier)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {isLive && <NewSession threadId={threadId} taskId={task.task_id} />}
    </div>
  );
}

function NewSession({ threadId, taskId }: { readonly threadId: string; readonly taskId: string }) {
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState<AgentChoice>(DEFAULT_AGENT);
  const command = useCommand((id: string, chosen: AgentChoice) =>
    post(
      "/v1/threads/{thread}/tasks/{task}/sessions",
      { thread: threadId, task: taskId },
      { command_id: id, ...asBody(chosen), options: {}, has_own_worktree: true },
    ),
  );
  const open = async () => {
    if ((await command.send(choice)) !== null) {
      setOpen(false);
      command.reset();
    }
  };
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withinPortal={false}>
      <Popover.Target>
        <Button
          variant="subtle"
          aria-label="New session"
          title="New session for this task"
          onClick={() => setOpen(!isOpen)}
        >
          <Plus size={14} aria-hidden />
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <AgentPicker value={choice} onChange={setChoice} none="The thread's agent" />
        <p className="dim">It takes turns with the other sessions on the same branch.</p>
        <Failure problem={command.problem} />
        <CommandButton command={command} onClick={() => void open()}>
          Open session
        </CommandButton>
      </Popover.Dropdown>
    </Popover>
  );
}
