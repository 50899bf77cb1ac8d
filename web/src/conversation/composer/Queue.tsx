/** What a person has said that the agent reads after its turn, each with a way back. */

import { Button } from "@mantine/core";
import classes from "@/conversation/composer/composer.module.css";
import type { Queued, WaitingMessage } from "@/conversation/composer/queue";
import { truncate } from "@/format";
import { Kbd } from "@/ui/Kbd";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly queued: Queued;
  /** Takes one back into the field. */
  readonly onWithdraw: (message: WaitingMessage) => void;
}

/** List the messages that wait, the newest last; nothing where none does. */
export function Queue({ queued, onWithdraw }: Props) {
  const { messages, isBusy } = queued;
  if (messages.length === 0) {
    return null;
  }
  return (
    <ul className={classes.queue} aria-label="Queued messages">
      {messages.map((message, index) => (
        <li key={message.message_id} className={classes.queued}>
          <span className="dim">next</span>
          <span className={classes.words}>
            <Safe text={truncate(message.text.trim().replaceAll("\n", " "), 200)} />
          </span>
          <Button
            variant="subtle"
            disabled={isBusy}
            aria-label={`Withdraw: ${truncate(message.text.trim(), 60)}`}
            onClick={() => onWithdraw(message)}
          >
            Withdraw
            {index === messages.length - 1 && (
              <span className={classes.keys}>
                <Kbd keys="Alt+↑" />
              </span>
            )}
          </Button>
        </li>
      ))}
    </ul>
  );
}
