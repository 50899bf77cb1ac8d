/** Running a task again: anew, or with the files of one of its checkpoints. */

import { Button, Popover, Radio } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useCheckpoints } from "@/api/queries";
import { retryTask } from "@/api/thread_commands";
import { Ago } from "@/ui/Ago";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";

/** The checkpoints of a task, the newest first. */
export function useTaskCheckpoints(threadId: string, taskId: string) {
  const all = useCheckpoints(threadId).data ?? [];
  return all.filter((one) => one.task_id === taskId).toReversed();
}

interface Props {
  readonly threadId: string;
  readonly task: Schemas["TaskView"];
}

const ANEW = "anew";

/** Offer to run a stopped task again, and say what is kept each way. */
export function RetryButton({ threadId, task }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      withinPortal={false}
      position="bottom-end"
    >
      <Popover.Target>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Retry…
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw={420}>
        <RetryForm threadId={threadId} task={task} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Choose what the next run begins with, and begin it. */
export function RetryForm({ threadId, task, onDone }: Props & { readonly onDone?: () => void }) {
  const checkpoints = useTaskCheckpoints(threadId, task.task_id);
  const [chosen, setChosen] = useState(ANEW);
  const again = useCommand((id: string, position: number | null) =>
    retryTask(id, threadId, task.task_id, position),
  );
  const send = async () => {
    const position = chosen === ANEW ? null : Number(chosen);
    if ((await again.send(position)) !== null) {
      onDone?.();
    }
  };
  return (
    <>
      <Radio.Group label="Start from" value={chosen} onChange={setChosen}>
        <Radio
          mt="xs"
          value={ANEW}
          label="the thread's current branch"
          description="This run's work stays at its checkpoints but is not used."
        />
        {checkpoints.slice(0, 10).map((one) => (
          <Radio
            key={one.position}
            mt="xs"
            value={`${one.position}`}
            label={
              <>
                the files of <code>{one.commit.slice(0, 8)}</code>,{" "}
                <Ago at={one.at} suffix=" ago" />
              </>
            }
            description={one.label}
          />
        ))}
      </Radio.Group>
      <p className="dim">Either way, a new session starts; earlier sessions stay available.</p>
      <Failure problem={again.problem} note="Nothing was started." />
      <CommandButton command={again} done="Sent" onClick={() => void send()}>
        Retry
      </CommandButton>
    </>
  );
}
