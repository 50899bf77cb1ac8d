/** Adds a schedule; a time that is refused says why, beside what was typed. */

import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useSuggestedRepositories } from "@/api/resources";
import { WorkFields } from "@/screens/queue/WorkFields";
import { isWhole, itemOf, NO_WORK, type Work } from "@/screens/queue/work";
import { Times } from "@/screens/schedules/Times";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";

interface Props {
  readonly onAdded: () => void;
}

/** A schedule as it was typed. */
interface ScheduleRequest {
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly overlap: "skip" | "queue";
  readonly work: Work;
}

const EXAMPLES = ["@daily", "@weekly", "0 6 * * 1-5", "*/30 9-17 * * mon-fri"];

/** Take a name, times and work. */
export function AddSchedule({ onAdded }: Props) {
  const [newest = ""] = useSuggestedRepositories();
  const [goal, setGoal] = useDraft("schedule");
  const [request, setRequest] = useState<ScheduleRequest>(() => ({
    name: "",
    cron: "",
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    overlap: "skip",
    work: { ...NO_WORK, repository: newest, goal },
  }));
  const [added, setAdded] = useState<Schemas["ScheduleView"] | null>(null);
  const command = useCommand((command_id: string, sent: ScheduleRequest) =>
    post(
      "/v1/schedules",
      {},
      {
        command_id,
        name: sent.name.trim(),
        cron: sent.cron.trim(),
        timezone: sent.timezone.trim() || null,
        overlap: sent.overlap,
        item: itemOf(command_id, sent.work),
      },
    ),
  );
  const change = (part: Partial<ScheduleRequest>) =>
    setRequest((before) => ({ ...before, ...part }));
  const submit = async () => {
    const answer = await command.send(request);
    if (answer !== null) {
      setAdded(answer);
      setGoal("");
      change({ name: "", work: { ...request.work, goal: "" } });
      onAdded();
    }
  };
  const isReady = isWhole(request.work) && request.name.trim() !== "" && request.cron.trim() !== "";
  return (
    <Panel title="Add schedule">
      <Form className={classes.form} onSubmit={() => void submit()}>
        <When request={request} change={change} />
        <WorkFields
          work={request.work}
          onChange={(work) => {
            setGoal(work.goal);
            change({ work });
          }}
        />
        <div className={classes.line}>
          <CommandButton type="submit" disabled={!isReady} command={command}>
            Add schedule
          </CommandButton>
        </div>
        <Failure problem={command.problem} note="Your text is saved." />
        {added && command.state === "recorded" && (
          <div role="status">
            {added.name} was added. Next runs: <Times times={added.next_at ?? []} />
          </div>
        )}
      </Form>
    </Panel>
  );
}

interface WhenProps {
  readonly request: ScheduleRequest;
  readonly change: (part: Partial<ScheduleRequest>) => void;
}

function When({ request, change }: WhenProps) {
  return (
    <div className={classes.fields}>
      <TextInput
        label="Name"
        placeholder="nightly-links"
        description="lowercase letters, digits, and dashes"
        required
        value={request.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <div>
        <TextInput
          label="When"
          placeholder="0 6 * * 1-5"
          description="cron: minute hour day month weekday"
          required
          spellCheck={false}
          value={request.cron}
          onChange={(event) => change({ cron: event.currentTarget.value })}
        />
        <div className={classes.line}>
          {EXAMPLES.map((cron) => (
            <Button key={cron} size="compact-xs" variant="subtle" onClick={() => change({ cron })}>
              {cron}
            </Button>
          ))}
        </div>
      </div>
      <TextInput
        label="Time zone"
        description="empty for the machine’s time zone"
        value={request.timezone}
        onChange={(event) => change({ timezone: event.currentTarget.value })}
      />
      <NativeSelect
        size="xs"
        label="If the previous run has not finished"
        description="at the next scheduled time"
        value={request.overlap}
        onChange={(event) =>
          change({ overlap: event.currentTarget.value === "queue" ? "queue" : "skip" })
        }
        data={[
          { value: "skip", label: "skip the new run" },
          { value: "queue", label: "queue the new run" },
        ]}
      />
    </div>
  );
}
