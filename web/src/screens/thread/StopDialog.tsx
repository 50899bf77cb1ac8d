/** The ways to stop a thread, each with what comes of it. */

import { Button, Group, Modal } from "@mantine/core";
import type { ThreadCommand } from "@/api/thread_commands";
import classes from "@/screens/thread/thread.module.css";
import { type Stoppable, waysToStop } from "@/screens/thread/ways_to_stop";

interface Props extends Stoppable {
  readonly onChoose: (what: ThreadCommand) => void;
  readonly onClose: () => void;
}

/** Ask which way is meant. */
export function StopDialog({ onChoose, onClose, ...state }: Props) {
  const choose = (what: ThreadCommand) => {
    onClose();
    onChoose(what);
  };
  return (
    <Modal opened onClose={onClose} title="Stop this thread?">
      <ul className={classes.ways}>
        {waysToStop(state).map(([verb, what, consequence]) => (
          <li key={what}>
            <p>{consequence}</p>
            <Button
              color="red"
              variant={what === "cancel" ? "filled" : "outline"}
              onClick={() => choose(what)}
            >
              {verb}
            </Button>
          </li>
        ))}
      </ul>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onClose}>
          Keep running
        </Button>
      </Group>
    </Modal>
  );
}
