/** A question of the planner: its options, when a default is taken, and the answer. */

import { Checkbox, Radio, Stack } from "@mantine/core";
import { useId, useState } from "react";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { formatDuration } from "@/format";
import { onModEnter } from "@/keyboard/mod_enter";
import type { Decision, DecisionWait } from "@/plans/models";
import classes from "@/plans/plan.module.css";
import { useNow } from "@/ui/Ago";
import { useAccidentGuard } from "@/ui/accident_guard";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { Scroller } from "@/ui/Scroller";

interface Props {
  readonly threadId: string;
  readonly decision: Decision;
  /** How long it waits, where the caller knows. */
  readonly wait?: DecisionWait | undefined;
  /** The tasks that wait for it, by id. */
  readonly waiting?: readonly string[] | undefined;
  /** In the past there is nothing to decide. */
  readonly isReadOnly?: boolean | undefined;
}

/** Ask a decision and send what was chosen; only the tasks that wait for it are blocked. */
export function DecisionCard(props: Props) {
  const { threadId, decision, wait, waiting = [], isReadOnly = false } = props;
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const mayDecide = useAccidentGuard(JSON.stringify(decision));
  const title = useId();
  const command = useCommand((commandId: string, shown: Decision, selections: readonly string[]) =>
    post(
      "/v1/threads/{thread}/decisions/{decision}",
      { thread: threadId, decision: shown.id },
      {
        command_id: commandId,
        selections: [...selections],
        content_hash: shown.content_hash,
      },
    ),
  );
  const isDone = command.state === "sending" || command.state === "recorded";
  const decide = () => {
    if (chosen.length > 0 && !isDone && mayDecide()) {
      void command.send(decision, chosen);
    }
  };
  const press = onModEnter(decide);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a card in a list of cards, not a form to submit
    <div className={classes.card} role="group" aria-labelledby={title} onKeyDown={press}>
      <Scroller className={classes.cardBody}>
        <div className={classes.cardTitle}>
          <strong id={title}>{decision.question}</strong>
          <span className="dim">
            {decision.header || `decision ${decision.id}`}
            {decision.multi_select && " · choose one or more"}
          </span>
        </div>
        <Options
          decision={decision}
          chosen={chosen}
          onChoose={setChosen}
          isDisabled={isReadOnly || isDone}
        />
        <Due wait={wait} fallback={decision.safe_default} />
        {waiting.length > 0 && <div className="dim">Blocked tasks: {waiting.join(", ")}</div>}
      </Scroller>
      <Failure problem={command.problem} note="Your choice is saved." />
      {!isReadOnly && (
        <ForRole needs="author" isTold>
          <div className={classes.barRow}>
            <CommandButton
              command={command}
              disabled={chosen.length === 0 || isDone}
              done="Sent"
              onClick={decide}
            >
              Decide
            </CommandButton>
            {chosen.length > 0 && <span className="dim">{chosen.join(", ")}</span>}
          </div>
        </ForRole>
      )}
    </div>
  );
}

interface OptionsProps {
  readonly decision: Decision;
  readonly chosen: readonly string[];
  readonly onChoose: (labels: readonly string[]) => void;
  readonly isDisabled: boolean;
}

function Options({ decision, chosen, onChoose, isDisabled }: OptionsProps) {
  const rows = decision.options.map(({ label, description }) => {
    const choice = {
      value: label,
      label,
      description: description || undefined,
      disabled: isDisabled,
    };
    return decision.multi_select ? (
      <Checkbox key={label} size="sm" {...choice} />
    ) : (
      <Radio key={label} size="sm" {...choice} />
    );
  });
  return decision.multi_select ? (
    <Checkbox.Group
      aria-label={decision.question}
      value={[...chosen]}
      onChange={(labels) => onChoose(labels)}
    >
      <Stack gap={6}>{rows}</Stack>
    </Checkbox.Group>
  ) : (
    <Radio.Group
      aria-label={decision.question}
      value={chosen[0] ?? null}
      onChange={(label) => onChoose([label])}
    >
      <Stack gap={6}>{rows}</Stack>
    </Radio.Group>
  );
}

interface DueProps {
  readonly wait: DecisionWait | undefined;
  readonly fallback: string | null | undefined;
}

function Due({ wait, fallback }: DueProps) {
  const now = useNow();
  const taken = wait?.default ?? fallback;
  if (!wait?.due_at) {
    return (
      <div className="dim">
        No time limit.
        {taken && ` The planner considers this safe: “${taken}”.`}
      </div>
    );
  }
  if (wait.is_expired) {
    return <div className="dim">Past due; still waiting for your answer.</div>;
  }
  const left = formatDuration(Date.parse(wait.due_at) - now);
  return (
    <div className="dim">
      <time dateTime={wait.due_at}>In {left}</time>
      {taken ? ` “${taken}” is chosen by default.` : " you get a reminder; no default is chosen."}
    </div>
  );
}
