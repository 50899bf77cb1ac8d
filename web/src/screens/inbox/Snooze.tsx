/** Takes an item out of the inbox until a time, and shows what is out of it. */

import { Button, Menu, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { snoozeChoices } from "@/screens/inbox/snoozing";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

type InboxItem = Schemas["InboxItem"];

/** Offer times until which an item is snoozed. */
export function Snooze({ item }: { readonly item: InboxItem }) {
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
      <Menu position="bottom-start">
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

/** List what is snoozed, closed at first. */
export function Snoozed({ items }: { readonly items: readonly InboxItem[] }) {
  return items.length === 0 ? null : (
    <details style={{ padding: "16px 16px 32px" }}>
      <summary>Snoozed ({items.length})</summary>
      {items.map((item) => (
        <Row key={item.item_id} item={item} />
      ))}
    </details>
  );
}

function Row({ item }: { readonly item: InboxItem }) {
  const refresh = useRefresh(["inbox"]);
  const command = useCommand((command_id: string) =>
    post("/v1/inbox/{item_id}/unsnooze", { item_id: item.item_id }, { command_id }),
  );
  return (
    <p>
      <Safe text={item.title} /> <span className="dim">until {timeOf(item)}</span>{" "}
      <Button
        variant="subtle"
        loading={command.state === "sending"}
        onClick={() => void command.send().then(refresh)}
      >
        Show again
      </Button>
      <Failure problem={command.problem} />
    </p>
  );
}

function timeOf(item: InboxItem): string {
  const until = new Date(item.snoozed_until ?? "");
  return until.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
