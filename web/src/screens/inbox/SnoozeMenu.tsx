/** The menu of times until which an item of the inbox is snoozed; loaded once somebody asks for it. */

import { Button, Menu, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { snoozeChoices } from "@/screens/inbox/snoozing";
import { Failure } from "@/ui/Failure";

type InboxItem = Schemas["InboxItem"];

/** Offer times until which an item is snoozed. */
export default function SnoozeMenu({ item }: { readonly item: InboxItem }) {
  const refresh = useRefresh(["inbox"]);
  const [until, setUntil] = useState(new Date());
  const [isPicking, setPicking] = useState(false);
  const command = useCommand((command_id: string, time: Date) =>
    post(
      "/v1/inbox/{item_id}/snooze",
      { item_id: item.item_id },
      { command_id, until: time.toISOString() },
    ),
  );
  const snooze = (time: Date) => {
    setPicking(false);
    void command.send(time).then(refresh);
  };
  return (
    <>
      <Menu position="bottom-start" defaultOpened>
        <Menu.Target>
          <Button variant="subtle" color="gray" loading={command.state === "sending"}>
            Snooze
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {snoozeChoices(new Date()).map((choice) => (
            <Menu.Item key={choice.label} onClick={() => snooze(choice.until)}>
              {choice.label}
            </Menu.Item>
          ))}
          <Menu.Item onClick={() => setPicking(true)}>Pick a time…</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isPicking} onClose={() => setPicking(false)} title="Snooze until">
        <TextInput
          type="datetime-local"
          label="Date and time"
          onChange={(event) => setUntil(new Date(event.currentTarget.value))}
        />
        <Button mt="md" disabled={!(until > new Date())} onClick={() => snooze(until)}>
          Snooze
        </Button>
      </Modal>
      <Failure problem={command.problem} />
    </>
  );
}
