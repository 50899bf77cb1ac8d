/** Schedules: what enters the queue by the clock, and when next. */

import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { del, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { problemOf, useSchedules } from "@/api/resources";
import { useKeys } from "@/keyboard/registry";
import { AddSchedule } from "@/screens/schedules/AddSchedule";
import classes from "@/screens/schedules/schedules.module.css";
import { Times } from "@/screens/schedules/Times";
import { Ago } from "@/ui/Ago";
import { Confirm } from "@/ui/Confirm";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { RovingList } from "@/ui/RovingList";
import { Status } from "@/ui/Status";

type Schedule = Schemas["ScheduleView"];

/** The screen of the schedules. */
export default function Screen() {
  const query = useSchedules();
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  useKeys("Schedules", [{ keys: "+", label: "Add schedule", run: () => setAdding(true) }]);
  const refresh = () => void queries.invalidateQueries({ queryKey: ["schedules"] });
  const schedules = query.data?.schedules ?? [];
  return (
    <Page
      title="Schedules"
      actions={
        <Button
          variant={isAdding ? "default" : "filled"}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          {isAdding ? "Close" : "Add"}
        </Button>
      }
    >
      <div className={`${page.column} ${page.padded}`}>
        <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
        {isAdding && <AddSchedule onAdded={refresh} />}
        {query.data && schedules.length === 0 && !isAdding && (
          <Empty
            title="No schedules yet"
            text="A schedule adds a goal or a flow to the queue at set times. Requests for you appear in the inbox as usual."
          >
            <Button onClick={() => setAdding(true)}>Add schedule</Button>
          </Empty>
        )}
        {schedules.length > 0 && (
          <Panel title={`Schedules (${schedules.length})`}>
            <RovingList
              label="Schedules"
              items={schedules}
              getKey={(schedule) => schedule.name}
              hasControls
              keyScope="Schedule list"
              render={(schedule) => <Row schedule={schedule} onChanged={refresh} />}
            />
          </Panel>
        )}
      </div>
    </Page>
  );
}

interface RowProps {
  readonly schedule: Schedule;
  readonly onChanged: () => void;
}

function Row({ schedule, onChanged }: RowProps) {
  return (
    <div className={classes.schedule}>
      <div className={classes.says}>
        <div className={page.line}>
          <strong>{schedule.name}</strong>
          {schedule.is_paused && <Status status="paused" word={schedule.note || "paused"} />}
          <code>{schedule.cron}</code>
          <span className="dim">{schedule.timezone}</span>
        </div>
        <div>
          {schedule.kind === "flow" ? "flow: " : ""}
          {schedule.title}
        </div>
        <div>
          <span className="dim">next: </span>
          <Times times={schedule.next_at ?? []} />
        </div>
        <div className={classes.facts}>
          <span className="mono">{schedule.project.split("/").at(-1)}</span>
          <span>ran {schedule.runs ?? 0} times</span>
          {schedule.last_at && (
            <span>
              last <Ago at={schedule.last_at} suffix=" ago" />
            </span>
          )}
          {schedule.last_result && <span>{schedule.last_result}</span>}
          {(schedule.missed ?? 0) > 0 && <span>missed {schedule.missed}</span>}
          <span>
            {schedule.overlap === "skip"
              ? "skipped while the previous one runs"
              : "queued after the previous one"}
          </span>
          <span>priority {schedule.priority ?? 3}</span>
        </div>
      </div>
      <Actions schedule={schedule} onChanged={onChanged} />
    </div>
  );
}

function Actions({ schedule, onChanged }: RowProps) {
  const { name } = schedule;
  const [report, setReport] = useState("");
  const command = useCommand(async (id: string, run: (id: string) => Promise<unknown>) => {
    const answer = await run(id);
    onChanged();
    return answer;
  });
  const verb = schedule.is_paused ? "resume" : "pause";
  const start = async () => {
    const answer = (await command.send((command_id) =>
      post("/v1/schedules/{name}/run", { name }, { command_id }),
    )) as { message?: string } | null;
    setReport(answer?.message ?? "");
  };
  return (
    <div className={classes.actions}>
      <Button variant="default" onClick={() => void start()}>
        Run now
      </Button>
      <Button
        variant="default"
        onClick={() =>
          void command.send((command_id) =>
            post(`/v1/schedules/{name}/${verb}`, { name }, { command_id }),
          )
        }
      >
        {schedule.is_paused ? "Resume" : "Pause"}
      </Button>
      <Confirm
        label="Remove"
        question={`Remove ${name}? Its entries stay in the queue.`}
        verb="Remove"
        isSending={command.state === "sending"}
        onConfirm={() =>
          void command.send((command_id) => del("/v1/schedules/{name}", { name }, { command_id }))
        }
      />
      {report && <span role="status">{report}</span>}
      <Failure problem={command.problem} />
    </div>
  );
}
