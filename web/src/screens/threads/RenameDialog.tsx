/** Gives a thread another topic. */

import { Button, Group, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, body, header, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly line: Schemas["ThreadLine"];
  readonly onClose: () => void;
}

/** Ask for the topic, and send it. */
export function RenameDialog({ line, onClose }: Props) {
  const [topic, setTopic] = useState(line.title);
  const refresh = useRefresh(["threads"]);
  const rename = useCommand((commandId: string, text: string) =>
    body(
      api.POST("/v1/threads/{thread}/rename", {
        params: { header, path: { thread: line.thread_id } },
        body: { command_id: commandId, topic: text },
      }),
    ),
  );
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if ((await rename.send(topic.trim())) !== null) {
      refresh();
      onClose();
    }
  };
  return (
    <Modal opened onClose={onClose} title="Rename thread">
      <form onSubmit={(event) => void send(event)}>
        <TextInput
          label="Topic"
          data-autofocus
          maxLength={200}
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
        />
        <Failure problem={rename.problem} note="Your text is saved." />
        <Group mt="md" gap={8} justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={rename.state === "sending"} disabled={topic.trim() === ""}>
            Rename
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
