/** Deletes a thread, after it says what that does. */

import { Button, Checkbox, Group, Modal } from "@mantine/core";
import { useState } from "react";
import { del } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import classes from "@/screens/threads/threads.module.css";
import { DialogActions } from "@/ui/DialogActions";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly thread: string;
  readonly title: string;
  readonly onClose: () => void;
  /** Takes the place of the report, where the screen is left. */
  readonly onDeleted?: (report: string) => void;
}

/** Say what goes and what stays, and delete a thread. */
export function DeletionDialog({ thread, title, onClose, onDeleted }: Props) {
  const [isForced, setForced] = useState(false);
  const [report, setReport] = useState<string | null>(null);
  const refresh = useRefresh(["threads"]);
  const command = useCommand((command_id: string, is_forced: boolean) =>
    del("/v1/threads/{thread}", { thread }, { command_id, is_forced }),
  );
  const send = async () => {
    const answer = await command.send(isForced);
    if (answer !== null) {
      (onDeleted ?? setReport)(answer.message);
      refresh();
    }
  };
  return (
    <Modal opened onClose={onClose} title="Delete thread?">
      <p className={classes.subject}>
        <b>
          <Safe text={title || thread} />
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
          <DialogActions
            needs="admin"
            command={command}
            verb={isForced ? "Force delete" : "Delete"}
            color="red"
            note="Nothing was deleted."
            onSend={() => void send()}
            onClose={onClose}
          />
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
