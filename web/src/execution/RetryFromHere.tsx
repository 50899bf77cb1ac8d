/** Another run of a task, with the files that it had at a moment. */

import { Button, Group, Modal, NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { retryTask } from "@/api/thread_commands";
import { checkpointAt } from "@/execution/moments";
import classes from "@/execution/scrubber.module.css";
import { useMoment } from "@/execution/useMoment";
import { formatMoment } from "@/format";
import type { ThreadView } from "@/plans/models";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly thread: ThreadView;
  readonly position: number;
  /** The task of the moment, where it is one's. */
  readonly task: string | null;
  readonly checkpoints: readonly Schemas["Checkpoint"][];
}

/** Offer to run a task again from a moment; only tasks with a checkpoint until then. */
export function RetryFromHere({ thread, position, task, checkpoints }: Props) {
  const [isOpen, setOpen] = useState(false);
  const tasks = thread.tasks
    .map(({ task_id }) => task_id)
    .filter((id) => checkpointAt(checkpoints, position, id) !== null);
  if (tasks.length === 0) {
    return null;
  }
  const first = task !== null && tasks.includes(task) ? task : tasks[0];
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {task === first ? `Retry ${task} from here…` : "Retry a task from here…"}
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Retry a task from here">
        {isOpen && (
          <Form
            thread={thread}
            position={position}
            task={first ?? ""}
            tasks={tasks}
            checkpoints={checkpoints}
          />
        )}
      </Modal>
    </>
  );
}

interface FormProps extends Props {
  readonly task: string;
  readonly tasks: readonly string[];
}

function Form({ thread, position, task: first, tasks, checkpoints }: FormProps) {
  const [task, setTask] = useState(first);
  const { show } = useMoment();
  const found = checkpointAt(checkpoints, position, task);
  const command = useCommand((command_id: string) =>
    retryTask(command_id, thread.thread_id, task, position),
  );
  const retry = async () => {
    if ((await command.send()) !== null) {
      show(null);
    }
  };
  return (
    <div className={classes.form}>
      <NativeSelect
        size="xs"
        label="Task"
        value={task}
        data={[...tasks]}
        onChange={(event) => setTask(event.currentTarget.value)}
      />
      <p className="dim">
        A new run of {task} starts from the files of checkpoint
        {found && ` ${found.commit.slice(0, 10)} of ${formatMoment(found.at)}`}. The earlier run
        stays available. Only stopped tasks can be retried.
      </p>
      <Failure problem={command.problem} />
      <Group>
        <CommandButton command={command} onClick={() => void retry()}>
          Retry {task}
        </CommandButton>
      </Group>
    </div>
  );
}
