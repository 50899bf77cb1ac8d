/** Removes a thread for good: said first, and what would be lost is refused until it is meant. */

import { Button, Group, Modal } from "@mantine/core";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { remove } from "@/screens/thread/commands";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly close: () => void;
}

/** Ask, then delete; work that is nowhere else needs a second word. */
export function Deletion({ thread, close }: Props) {
  const [, go] = useLocation();
  const command = useCommand((id: string, isForced: boolean) =>
    remove(id, thread.thread_id, isForced),
  );
  const send = async (isForced: boolean) => {
    if ((await command.send(isForced)) !== null) {
      close();
      go("/threads");
    }
  };
  const isRefused = command.problem !== null;
  const isSending = command.state === "sending";
  return (
    <Modal opened onClose={close} title={`Delete “${thread.topic || thread.goal}”?`}>
      <p>
        Permanently deletes the conversation, plans, and worktrees. Branches with unmerged work are
        kept unless you choose otherwise.
      </p>
      <Failure problem={command.problem} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" data-autofocus onClick={close}>
          Cancel
        </Button>
        {isRefused && (
          <Button color="red" variant="outline" loading={isSending} onClick={() => void send(true)}>
            Delete with unmerged work
          </Button>
        )}
        {!isRefused && (
          <Button color="red" loading={isSending} onClick={() => void send(false)}>
            Delete
          </Button>
        )}
      </Group>
    </Modal>
  );
}
