/** A wait that ends by itself, counted down. */

import { Button } from "@mantine/core";
import { useCommand } from "@/api/commands";
import { useLog } from "@/api/events/useLog";
import { formatDuration, formatTime } from "@/format";
import { skipWait } from "@/screens/flow_run/commands";
import { dueFold } from "@/screens/flow_run/due";
import own from "@/screens/flow_run/flow_run.module.css";
import { useNow } from "@/ui/Ago";
import { Failure } from "@/ui/Failure";

/** Say until when a run waits, and for what; nothing where it does not. */
export function Waiting({ run }: { readonly run: string }) {
  const { state: due } = useLog(run, null, dueFold);
  const now = useNow();
  const command = useCommand(skipWait);
  if (due === null) {
    return null;
  }
  const left = Date.parse(due.until) - now;
  const at = formatTime(due.until);
  return (
    <section className={own.waits} aria-label="Waiting">
      <span role="timer">
        {due.what === "provider" ? `${due.reason || "The provider is unavailable"}: ` : "Waiting: "}
        {left > 0 ? `continues in ${formatDuration(left)}, at ${at}` : "continuing"}
      </span>
      {due.what === "provider" && (
        <Button
          variant="default"
          loading={command.state === "sending"}
          onClick={() => void command.send(run, due.session)}
        >
          Retry now
        </Button>
      )}
      <Failure problem={command.problem} />
    </section>
  );
}
