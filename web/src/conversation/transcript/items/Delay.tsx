/** A wait for the agent's provider: until when, and how to end it. */

import { Hourglass } from "lucide-react";
import { useCommand } from "@/api/commands";
import type { DelayItem } from "@/conversation/projection/items";
import { skipWait } from "@/conversation/transcript/commands";
import classes from "@/conversation/transcript/transcript.module.css";
import { formatDuration, formatMoment, truncate } from "@/format";
import { useNow } from "@/ui/Ago";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

/** Show a wait, with its countdown while it lasts. */
export function Delay({ item }: { readonly item: DelayItem }) {
  if (item.ended !== "") {
    return (
      <div className={classes.note}>
        waited for {item.provider}: {item.ended}
      </div>
    );
  }
  return <Waiting item={item} />;
}

function Waiting({ item }: { readonly item: DelayItem }) {
  const now = useNow();
  const command = useCommand((commandId: string) => skipWait(commandId, item.turnId));
  const left = Date.parse(item.until) - now;
  const until = formatMoment(item.until);
  return (
    <section className={classes.card} data-tone="wait" aria-label={`Waiting for ${item.provider}`}>
      <div className={classes.cardTitle}>
        <Hourglass size={14} aria-hidden />
        {left > 0
          ? `Waiting for ${item.provider}: ${formatDuration(left)} left, until ${until}; continues automatically`
          : `Continuing with ${item.provider}`}
      </div>
      <p className={classes.reason}>
        <Safe text={truncate(item.reason, 400)} />
      </p>
      <CommandButton
        variant="default"
        command={command}
        done="Sent"
        onClick={() => void command.send()}
      >
        Retry now
      </CommandButton>
      <Failure problem={command.problem} />
    </section>
  );
}
