/** The head of a run: title, status, where it is, and what can be done with it. */

import { Button, Menu, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { del, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useKeys } from "@/keyboard/registry";
import { commandRun } from "@/screens/flow_run/commands";
import { numberedOf } from "@/screens/flow_run/Steps";
import { Ago } from "@/ui/Ago";
import { CommandButton } from "@/ui/CommandButton";
import { Confirm } from "@/ui/Confirm";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { OpenInTemporalButton } from "@/ui/OpenInTemporal";
import page from "@/ui/page.module.css";
import { Status } from "@/ui/Status";

type Run = Schemas["FlowRunView"];

const GOES_ON: ReadonlySet<string> = new Set(["stopped", "failed"]);
const AT_REST: ReadonlySet<string> = new Set(["stopped", "failed", "completed"]);

/** The title of a run; a click turns it into a field. */
export function Title({ view }: { readonly view: Run }) {
  const [isNaming, setNaming] = useState(false);
  const [title, setTitle] = useState(view.title);
  const command = useCommand((command_id: string, topic: string) =>
    post("/v1/flow-runs/{run}/rename", { run: view.run_id }, { command_id, topic }),
  );
  const save = async () => {
    if (title.trim() === "" || (await command.send(title.trim())) !== null) {
      setNaming(false);
    }
  };
  if (!isNaming) {
    return (
      <span className={page.line}>
        {view.title}
        <Status status={view.status} />
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => {
            setTitle(view.title);
            setNaming(true);
          }}
        >
          Rename
        </Button>
      </span>
    );
  }
  return (
    <Form
      className={page.line}
      onSubmit={() => void save()}
      onKeyDown={(event) => event.key === "Escape" && setNaming(false)}
    >
      <TextInput
        aria-label="Title"
        autoFocus
        w={320}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <CommandButton type="submit" command={command}>
        Save
      </CommandButton>
      <Button variant="default" onClick={() => setNaming(false)}>
        Cancel
      </Button>
      <Failure problem={command.problem} />
    </Form>
  );
}

/** Say where a run is: step, loop and round, and since when. */
export function Place({ view }: { readonly view: Run }) {
  const { place } = view;
  return (
    <span className={page.line}>
      <Link
        href={`/flows/${encodeURIComponent(view.flow_name)}?repository=${encodeURIComponent(view.repository ?? "")}`}
      >
        {view.flow_name}
      </Link>
      {place && view.status !== "completed" && (
        <span>
          step {place.step_index}
          {place.label && ` “${place.label}”`}
        </span>
      )}
      {place && (place.loop_depth ?? 0) > 0 && view.status !== "completed" && (
        <span>
          loop {place.loop_depth}, round {(place.iteration ?? 0) + 1}
        </span>
      )}
      {(view.execution ?? 1) > 1 && <span>resumed {(view.execution ?? 1) - 1} times</span>}
      {view.reason && <span>{view.reason}</span>}
      <span className="dim">
        started <Ago at={view.opened_at ?? null} suffix=" ago" />
      </span>
      {view.is_archived && <span className="dim">archived</span>}
    </span>
  );
}

/** Stop, resume, archive, delete: what its status allows. */
export function Actions({ view }: { readonly view: Run }) {
  const [, go] = useLocation();
  const run = view.run_id;
  const queries = useQueryClient();
  const command = useCommand((id: string, send: (id: string) => Promise<unknown>) => send(id));
  const isSending = command.state === "sending";
  const resume = (step_index: number | null) =>
    void command.send((command_id) =>
      post("/v1/flow-runs/{run}/resume", { run }, { command_id, step_index }),
    );
  const stop = () => void command.send((id) => commandRun(id, run, "stop"));
  const isStoppable = !AT_REST.has(view.status) && view.status !== "stopping";
  useKeys("Flow run", isStoppable ? [{ keys: "", label: "Stop this run", run: stop }] : []);
  const remove = async () => {
    const sent = await command.send((command_id) =>
      del("/v1/flow-runs/{run}", { run }, { command_id, is_forced: isStoppable }),
    );
    if (sent !== null) {
      go("/flows");
      queries.removeQueries({ queryKey: ["flow-run", run] });
    }
  };
  return (
    <>
      {isStoppable && (
        <Button variant="default" loading={isSending} onClick={stop}>
          Stop
        </Button>
      )}
      {GOES_ON.has(view.status) && <Resume view={view} isSending={isSending} onResume={resume} />}
      {AT_REST.has(view.status) && (
        <Button
          variant="default"
          onClick={() =>
            void command.send((id) =>
              commandRun(id, run, view.is_archived ? "unarchive" : "archive"),
            )
          }
        >
          {view.is_archived ? "Unarchive" : "Archive"}
        </Button>
      )}
      <OpenInTemporalButton workflow={run} />
      <Confirm
        label="Delete"
        question={
          isStoppable ? "Stop the run and delete it?" : "Delete the run and its transcript?"
        }
        verb="Delete"
        onConfirm={() => void remove()}
      />
      <Failure problem={command.problem} />
    </>
  );
}

interface ResumeProps {
  readonly view: Run;
  readonly isSending: boolean;
  readonly onResume: (step: number | null) => void;
}

function Resume({ view, isSending, onResume }: ResumeProps) {
  return (
    <Button.Group>
      <Button loading={isSending} onClick={() => onResume(null)}>
        Resume at {view.place?.step_index ?? 0}
      </Button>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button aria-label="Resume at another step">▾</Button>
        </Menu.Target>
        <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
          <Menu.Label>Resume at another step</Menu.Label>
          {numberedOf(view).map((step) => (
            <Menu.Item key={step.index} onClick={() => onResume(step.index)}>
              {step.index} {step.label || step.text || step.type}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  );
}
