/** Gives a thread another topic. */

import { Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { renameThread } from "@/api/thread_commands";
import { DialogActions } from "@/ui/DialogActions";
import { Form } from "@/ui/Form";

interface Props {
  readonly line: Schemas["ThreadLine"];
  readonly onClose: () => void;
}

/** Ask for the topic, and send it. */
export function RenameDialog({ line, onClose }: Props) {
  const [topic, setTopic] = useState(line.title);
  const refresh = useRefresh(["threads"]);
  const rename = useCommand((id: string, text: string) => renameThread(id, line.thread_id, text));
  const send = async () => {
    if ((await rename.send(topic.trim())) !== null) {
      refresh();
      onClose();
    }
  };
  return (
    <Modal opened onClose={onClose} title="Rename thread">
      <Form onSubmit={() => void send()}>
        <TextInput
          label="Topic"
          data-autofocus
          maxLength={200}
          value={topic}
          onChange={(event) => setTopic(event.currentTarget.value)}
        />
        <DialogActions
          command={rename}
          verb="Rename"
          disabled={topic.trim() === ""}
          note="Your text is saved."
          onSend={() => void send()}
          onClose={onClose}
        />
      </Form>
    </Modal>
  );
}
