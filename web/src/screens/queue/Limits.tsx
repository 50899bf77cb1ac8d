/** How much of the queue runs at a time: shown, and set. */

import { Button, NumberInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { SERVER } from "@/api/roles";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { ForRole, ProjectContext } from "@/ui/ForRole";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";

type Chosen = Record<"max_running" | "per_project" | "per_host" | "max_reviews", number>;

const FIELDS: readonly (readonly [keyof Chosen, string, string])[] = [
  ["max_running", "Max running", "across this engine"],
  ["per_project", "Max running per project", "within Max running"],
  ["per_host", "Max running per host", "within Max running"],
  ["max_reviews", "Max waiting for you", "0 for no limit"],
];

function chosenOf(queue: Schemas["QueueView"]): Chosen {
  const limits = queue.limits;
  return {
    max_running: limits?.max_running ?? 0,
    per_project: limits?.per_project ?? 0,
    per_host: limits?.per_host ?? 0,
    max_reviews: limits?.max_reviews ?? 0,
  };
}

/** Show the limits as fields; nothing that runs is stopped by a lower one. */
export function Limits({ queue }: { readonly queue: Schemas["QueueView"] }) {
  return (
    <ProjectContext value={SERVER}>
      <Fields queue={queue} />
    </ProjectContext>
  );
}

function Fields({ queue }: { readonly queue: Schemas["QueueView"] }) {
  const shown = JSON.stringify(chosenOf(queue));
  const [chosen, setChosen] = useState<Chosen>(chosenOf(queue));
  useEffect(() => setChosen(JSON.parse(shown) as Chosen), [shown]);
  const command = useCommand((command_id: string, limits: Chosen | null) =>
    post("/v1/queue/limits", {}, { command_id, ...limits, are_default: limits === null }),
  );
  const isChanged = JSON.stringify(chosen) !== shown;
  return (
    <Panel title={queue.are_limits_set ? "Limits (customized)" : "Limits (from settings)"}>
      <Form className={classes.form} onSubmit={() => void command.send(chosen)}>
        <div className={classes.fields}>
          {FIELDS.map(([name, label, description]) => (
            <NumberInput
              key={name}
              size="xs"
              label={label}
              description={description}
              min={0}
              value={chosen[name]}
              onChange={(value) => setChosen({ ...chosen, [name]: Number(value) || 0 })}
            />
          ))}
        </div>
        <div className={classes.line}>
          <CommandButton
            type="submit"
            needs="admin"
            variant="default"
            disabled={!isChanged}
            command={command}
          >
            Set limits
          </CommandButton>
          {queue.are_limits_set && (
            <ForRole needs="admin">
              <Button variant="subtle" onClick={() => void command.send(null)}>
                Reset to settings
              </Button>
            </ForRole>
          )}
          <span className="dim">Limits apply when work starts; running work is not stopped.</span>
        </div>
        <Failure problem={command.problem} />
      </Form>
    </Panel>
  );
}
