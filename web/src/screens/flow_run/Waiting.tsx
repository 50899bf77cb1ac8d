/** A wait that ends by itself, counted down. */

import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useLog } from "@/api/events/useLog";
import { formatDuration, formatTime } from "@/format";
import { dueFold } from "@/screens/flow_run/due";
import own from "@/screens/flow_run/flow_run.module.css";
import { useNow } from "@/ui/Ago";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";

/** Say until when a run waits, and for what; nothing where it does not. */
export function Waiting({ run }: { readonly run: string }) {
  const { state: due } = useLog(run, null, dueFold);
  const now = useNow();
  const command = useCommand((command_id: string, number: number) =>
    post("/v1/flow-runs/{run}/sessions/{number}/skip-wait", { run, number }, { command_id }),
  );
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
        <CommandButton
          variant="default"
          command={command}
          onClick={() => void command.send(due.session)}
        >
          Retry now
        </CommandButton>
      )}
      <Failure problem={command.problem} />
    </section>
  );
}
