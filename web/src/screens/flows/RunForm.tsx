/** Runs a flow: where, with whom, now or in the queue, anew or from an earlier run on. */

import { NativeSelect, NumberInput, Switch, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useFlowRuns } from "@/api/resources";
import { type RunRequest, runFlow } from "@/screens/flows/commands";
import { type AgentChoice, AgentPicker, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";
import { RepositoryPicker } from "@/ui/RepositoryPicker";

interface Props {
  readonly flow: Schemas["FlowRow"];
  readonly repository: string;
}

const RESUMABLE: ReadonlySet<string> = new Set(["stopped", "failed"]);

/** Take what a run needs, and begin it; what was typed stays where it is refused. */
export function RunForm({ flow, repository }: Props) {
  const form = useRunForm(flow, repository);
  const { request, change } = form;
  return (
    <Panel title="Run flow">
      <Form className={classes.form} onSubmit={() => void form.submit()}>
        <div className={classes.fields}>
          <RepositoryPicker
            label="Folder"
            value={request.folder}
            onChange={(folder) => change({ folder })}
            isRequired={request.resumed === ""}
          />
          <TextInput
            label="Title"
            placeholder={`Flow: ${flow.name}`}
            value={request.title}
            onChange={(event) => change({ title: event.currentTarget.value })}
          />
          <Resumed flow={flow} request={request} change={change} />
        </div>
        <Agents flow={flow} repository={repository} form={form} />
        <div className={classes.line}>
          <CommandButton type="submit" command={form.command}>
            {request.resumed !== "" ? "Continue" : request.isQueued ? "Add to queue" : "Run now"}
          </CommandButton>
          {request.resumed === "" && <Queued request={request} change={change} />}
        </div>
        <Failure problem={form.command.problem} note="Your choices are saved." />
        {form.started?.status === "queued" && (
          <p role="status">
            Queued as {form.started.conversation_id}. <Link href="/queue">View queue</Link>
          </p>
        )}
      </Form>
    </Panel>
  );
}

type Change = (change: Partial<RunRequest>) => void;

function useRunForm(flow: Schemas["FlowRow"], repository: string) {
  const [, go] = useLocation();
  const [everyone, setEveryone] = useState(DEFAULT_AGENT);
  const [single, setSingle] = useState<Readonly<Record<string, AgentChoice>>>({});
  const [started, setStarted] = useState<Schemas["BegunRun"] | null>(null);
  const [request, setRequest] = useState<RunRequest>({
    folder: repository,
    agents: {},
    agent: "",
    model: "",
    title: "",
    isQueued: false,
    priority: 3,
    resumed: "",
    step: "",
  });
  const command = useCommand(runFlow);
  const change: Change = (part) => setRequest((before) => ({ ...before, ...part }));
  const submit = async () => {
    const agents = Object.fromEntries(
      Object.entries(single)
        .filter(([, { agent }]) => agent !== "")
        .map(([type, { agent, model }]) => [type, { agent, model: model.trim() || null }]),
    );
    const answer = await command.send(`${flow.scope}:${flow.name}`, {
      ...request,
      agents,
      agent: everyone.agent,
      model: everyone.model,
    });
    setStarted(answer);
    if (answer && answer.status !== "queued") {
      go(`/flow-runs/${answer.conversation_id}`);
    }
  };
  return {
    request,
    change,
    everyone,
    setEveryone,
    single,
    setSingle,
    command,
    started: started,
    submit,
  };
}

interface FieldProps {
  readonly request: RunRequest;
  readonly change: Change;
}

function Agents({
  flow,
  repository,
  form,
}: Props & { readonly form: ReturnType<typeof useRunForm> }) {
  const types = flow.agents ?? [];
  return (
    <div className={classes.form}>
      {types.length !== 1 && types.length > 0 && (
        <AgentPicker
          label="Agent for all roles"
          none="As set below"
          repository={repository}
          value={form.everyone}
          onChange={form.setEveryone}
        />
      )}
      {types.map(({ agent_type: type, agent, missing }) => (
        <div key={type}>
          <AgentPicker
            label={`Agent for “${type}”`}
            none={agent ? `${agent} (by name)` : "None"}
            repository={repository}
            value={form.single[type] ?? DEFAULT_AGENT}
            onChange={(choice) => form.setSingle({ ...form.single, [type]: choice })}
          />
          {missing && !form.single[type]?.agent && !form.everyone.agent && (
            <div className="dim">{missing}: choose an agent</div>
          )}
        </div>
      ))}
    </div>
  );
}

function Resumed({ flow, request, change }: FieldProps & { readonly flow: Schemas["FlowRow"] }) {
  const runs = (useFlowRuns({ flow: flow.name }).data?.runs ?? []).filter((run) =>
    RESUMABLE.has(run.status ?? ""),
  );
  if (runs.length === 0) {
    return null;
  }
  return (
    <>
      <NativeSelect
        size="xs"
        label="Start new, or continue"
        value={request.resumed}
        onChange={(event) => change({ resumed: event.currentTarget.value })}
        data={[
          { value: "", label: "a new conversation" },
          ...runs.map((run) => ({
            value: run.run_id,
            label: `${run.run_id} (${run.status})`,
          })),
        ]}
      />
      {request.resumed !== "" && (
        <TextInput
          label="From step"
          placeholder="where it stopped"
          inputMode="numeric"
          value={request.step}
          onChange={(event) => change({ step: event.currentTarget.value.replace(/\D/g, "") })}
        />
      )}
    </>
  );
}

function Queued({ request, change }: FieldProps) {
  return (
    <>
      <Switch
        label="Add to the queue instead of starting now"
        checked={request.isQueued}
        onChange={(event) => change({ isQueued: event.currentTarget.checked })}
      />
      {request.isQueued && (
        <NumberInput
          size="xs"
          aria-label="Priority (1 is highest)"
          prefix="priority "
          min={1}
          max={5}
          w={110}
          value={request.priority}
          onChange={(priority) => change({ priority: Number(priority) || 3 })}
        />
      )}
    </>
  );
}
