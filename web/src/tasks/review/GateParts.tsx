/** What a gate says beside its buttons: how long it waits, that it changed, and the words to send. */

import { Alert, Button, Group } from "@mantine/core";
import type { Schemas } from "@/api/client";
import { useInbox } from "@/api/queries";
import { Ago } from "@/ui/Ago";

/** Say how long a request waits; it never times out. */
export function Waiting({ request }: { readonly request: Schemas["ApprovalRequest"] }) {
  const inbox = useInbox();
  const item = inbox.data?.items.find((one) => one.request?.request_id === request.request_id);
  return (
    <span className="dim">
      waiting <Ago at={item?.since ?? null} />
    </span>
  );
}

interface ChangedProps {
  readonly task: Schemas["TaskView"];
  readonly onShow: () => void;
}

/** Say that what was opened is not what waits now. */
export function Changed({ task, onShow }: ChangedProps) {
  const isClosed = task.request?.subject !== "gate";
  return (
    <Alert color="orange" variant="light" title="Changed since you opened it" role="alert">
      {isClosed
        ? "This no longer needs you: it was decided elsewhere, or the work continues."
        : `A newer change is waiting, from attempt ${task.attempts.at(-1)?.attempt ?? "?"}.`}
      <Group mt="xs">
        <Button variant="default" onClick={onShow}>
          {isClosed ? "Close" : "Show newest"}
        </Button>
      </Group>
    </Alert>
  );
}
