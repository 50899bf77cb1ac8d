/** Takes an item out of the inbox until a time, and shows what is out of it. */

import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

const SnoozeMenu = lazy(() => import("@/screens/inbox/SnoozeMenu"));

type InboxItem = Schemas["InboxItem"];

/** Offer to snooze an item; the times are loaded once somebody asks for them. */
export function Snooze({ item }: { readonly item: InboxItem }) {
  const [isAsked, setAsked] = useState(false);
  const button = (
    <Button variant="subtle" color="gray" aria-haspopup="menu" onClick={() => setAsked(true)}>
      Snooze
    </Button>
  );
  return isAsked ? (
    <Suspense fallback={button}>
      <SnoozeMenu item={item} />
    </Suspense>
  ) : (
    button
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
