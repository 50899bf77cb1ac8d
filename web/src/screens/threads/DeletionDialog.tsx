/** Removes a thread, after saying what that does. */

import { Button, Checkbox, Group, Modal } from "@mantine/core";
import { useState } from "react";
import { api, body, header, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import classes from "@/screens/threads/threads.module.css";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly line: Schemas["ThreadLine"];
  readonly onClose: () => void;
}

/** Say what goes and what stays, and remove a thread. */
export function DeletionDialog({ line, onClose }: Props) {
  const [isForced, setForced] = useState(false);
  const refresh = useRefresh(["threads"]);
  const remove = useCommand((commandId: string, force: boolean) =>
    body(
      api.DELETE("/v1/threads/{thread}", {
        params: { header, path: { thread: line.thread_id } },
        body: { command_id: commandId, is_forced: force },
      }),
    ),
  );
  const [report, setMessage] = useState<string | null>(null);
  const send = async () => {
    const answer = await remove.send(isForced);
    if (answer !== null) {
      setMessage(answer.message);
      refresh();
    }
  };
  return (
    <Modal opened onClose={onClose} title="Delete thread?">
      <p className={classes.said}>
        <b>
          <Safe text={line.title || line.thread_id} />
        </b>
      </p>
      {report === null ? (
        <>
          <ul className={classes.effects}>
            <li>The conversation, plans, tasks, and their history are permanently deleted.</li>
            <li>Worktrees are removed. Merged work stays.</li>
            <li>Branches with unmerged work are kept and listed afterwards.</li>
            <li>A thread with running work cannot be deleted.</li>
          </ul>
          <Checkbox
            size="xs"
            label="Force: stop running work and delete branches with unmerged work"
            checked={isForced}
            onChange={(event) => setForced(event.currentTarget.checked)}
          />
          <Failure problem={remove.problem} note="Nothing was deleted." />
          <Group mt="md" gap={8} justify="flex-end">
            <Button variant="default" data-autofocus onClick={onClose}>
              Cancel
            </Button>
            <Button color="red" loading={remove.state === "sending"} onClick={() => void send()}>
              {isForced ? "Force delete" : "Delete"}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <p role="status">
            <Safe text={report} />
          </p>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={onClose}>
              Close
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
