/** A set-up of workspaces that failed: why, what its commands printed, and the ways on. */

import { Button, Group, Textarea } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useSetUpText } from "@/api/queries";
import { Output } from "@/tasks/Output";
import classes from "@/tasks/review/review.module.css";
import { useAccidentGuard } from "@/ui/accident_guard";
import { CommandButton } from "@/ui/CommandButton";
import { Confirm } from "@/ui/Confirm";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly thread: Schemas["ThreadView"];
}

/** Offer to set up again, by a changed recipe too, or to go on without. */
export function SetUpCard({ thread }: Props) {
  const { thread_id: id, set_up: setUp } = thread;
  const text = useSetUpText(id, setUp.number);
  const [edited, setEdited] = useState<string | null>(null);
  const retry = useCommand((command_id: string) =>
    post("/v1/threads/{thread}/set-up/retry", { thread: id }, { command_id, text: edited }),
  );
  const skip = useCommand((command_id: string) =>
    post("/v1/threads/{thread}/set-up/skip", { thread: id }, { command_id }),
  );
  const isArmed = useAccidentGuard(`set-up ${setUp.number}`);
  return (
    <section className={classes.card} data-tone="fail" aria-label="Failure of the set-up">
      <div>
        <strong>Setting up workspaces failed</strong>: <Safe text={setUp.result.failure} />
      </div>
      <div className="dim">Tasks start once it has worked, or without it if you skip it.</div>
      {setUp.result.output !== "" && (
        <details open>
          <summary>Output</summary>
          <Output text={setUp.result.output} reference={setUp.result.output_ref ?? null} />
        </details>
      )}
      {edited !== null && (
        <Textarea
          label="Recipe for this thread"
          description="As in .treadle/workspace.toml. Its commands run once you retry."
          autosize
          minRows={4}
          maxRows={20}
          value={edited}
          onChange={(event) => setEdited(event.currentTarget.value)}
        />
      )}
      <Group gap={6}>
        <CommandButton
          variant="default"
          done="Setting up"
          command={retry}
          onClick={() => isArmed() && void retry.send()}
        >
          {edited === null ? "Retry" : "Retry with these changes"}
        </CommandButton>
        {edited === null && (
          <Button
            variant="default"
            disabled={text.data === undefined}
            onClick={() => setEdited(text.data?.text ?? "")}
          >
            Edit recipe
          </Button>
        )}
        <Confirm
          label="Skip…"
          question="Start tasks without set-up? Their workspaces have only what git has."
          verb="Skip"
          isSending={skip.state === "sending"}
          onConfirm={() => void skip.send()}
        />
      </Group>
      <Failure problem={retry.problem ?? skip.problem} note="Nothing was changed." />
    </section>
  );
}
