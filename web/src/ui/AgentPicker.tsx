/** Which agent, which model, which options; and what that agent still needs. */

import { NativeSelect, TextInput } from "@mantine/core";
import { useId } from "react";
import type { Schemas } from "@/api/client";
import { useAgentRecords } from "@/api/reports";
import { useAgents } from "@/api/resources";
import { isReady } from "@/ui/agent_ready";
import classes from "@/ui/pickers.module.css";

/** An agent as it is chosen; empty means: the engine's default. */
export interface AgentChoice {
  readonly agent: string;
  readonly model: string;
  readonly options: Readonly<Record<string, string | boolean>>;
}

/** Nobody chosen: the engine's default agent, with its own model. */
export const DEFAULT_AGENT: AgentChoice = { agent: "", model: "", options: {} };

interface Props {
  readonly value: AgentChoice;
  readonly onChange: (choice: AgentChoice) => void;
  /** Lists the agents of this repository too. */
  readonly repository?: string;
  readonly label?: string;
  /** What the first entry says, which chooses nobody: the default agent, unless it says else. */
  readonly none?: string;
  readonly hasModel?: boolean;
}

type AgentStatus = Schemas["AgentStatus"];
type OfferedValue = Schemas["OfferedValue"];

/** Return a choice as the API takes it: what was left empty is left out. */
export function asBody(choice: AgentChoice): {
  agent?: string;
  model?: string;
  options?: Record<string, string | boolean>;
} {
  return {
    ...(choice.agent === "" ? {} : { agent: choice.agent }),
    ...(choice.model.trim() === "" ? {} : { model: choice.model.trim() }),
    ...(Object.keys(choice.options).length === 0 ? {} : { options: { ...choice.options } }),
  };
}

const SWITCHES: Readonly<Record<string, boolean>> = { true: true, false: false };

/** Read `name=value, name=value`; `true` and `false` are switches. */
export function optionsOf(text: string): Record<string, string | boolean> {
  const pairs = text
    .split(",")
    .map((part) => part.split("=").map((side) => side.trim()))
    .filter(([name, value]) => name && value);
  return Object.fromEntries(
    pairs.map(([name = "", value = ""]) => [name, SWITCHES[value] ?? value]),
  );
}

/** Write options as `optionsOf` reads them. */
export function optionsText(options: Readonly<Record<string, string | boolean>>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

function titleOf(agent: AgentStatus): string {
  const own = agent.title === "" || agent.title === undefined ? agent.name : agent.title;
  return agent.is_default ? `${own} (default)` : own;
}

function defaultOf(agents: readonly AgentStatus[]): string {
  const own = agents.find((agent) => agent.is_default);
  if (agents.length === 0) {
    return "Default agent";
  }
  return own ? `Default (${own.title || own.name})` : "Choose an agent";
}

function groupsOf(agents: readonly AgentStatus[]) {
  const shown = agents.filter((agent) => !agent.is_hidden);
  const entries = (are: readonly AgentStatus[]) =>
    are.map((agent) => ({ value: agent.name, label: titleOf(agent) }));
  return [
    { group: "Ready", items: entries(shown.filter(isReady)) },
    { group: "Setup required", items: entries(shown.filter((each) => !isReady(each))) },
  ].filter((group) => group.items.length > 0);
}

/** Choose an agent; what stands in its way is said below, with the command that fixes it. */
export function AgentPicker({
  value,
  onChange,
  repository = "",
  label = "Agent",
  none,
  hasModel = true,
}: Props) {
  const agents = useAgents(repository).data?.agents ?? [];
  const chosen = agents.find((agent) => agent.name === value.agent && !agent.is_hidden);
  const isListed = value.agent === "" || chosen !== undefined;
  const known = knownOf(agents, value);
  return (
    <div>
      <div className={classes.row}>
        <NativeSelect
          size="xs"
          label={label}
          value={value.agent}
          onChange={(event) => onChange({ ...value, agent: event.currentTarget.value })}
          data={[
            { value: "", label: none ?? defaultOf(agents) },
            ...(isListed ? [] : [{ value: value.agent, label: value.agent }]),
            ...groupsOf(agents),
          ]}
        />
        {hasModel && <Model agent={known} value={value} onChange={onChange} />}
      </div>
      {chosen && <Missing agent={chosen} />}
      <Records repository={repository} agent={known?.name ?? ""} />
    </div>
  );
}

const MAX_RECORDS = 4;

/** How agents did in the repository, the one that would be used first: what a choice can go by. */
export function Records({
  repository,
  agent,
}: {
  readonly repository: string;
  readonly agent: string;
}) {
  const records = useAgentRecords(repository).data?.records ?? [];
  const whole = records.filter((record) => (record.kind ?? "") === "");
  const first = whole.filter((record) => record.agent === agent);
  const shown = [...first, ...whole.filter((record) => record.agent !== agent)];
  if (repository === "" || shown.length === 0) {
    return null;
  }
  return (
    <ul className={classes.records} aria-label="How agents did in this repository">
      {shown.slice(0, MAX_RECORDS).map((record) => (
        <li key={`${record.agent} ${record.model}`}>
          <b>{[record.agent, record.model].filter(Boolean).join(" · ")}</b> {record.words}
        </li>
      ))}
    </ul>
  );
}

function knownOf(agents: readonly AgentStatus[], value: AgentChoice): AgentStatus | undefined {
  return value.agent === ""
    ? agents.find((agent) => agent.is_default)
    : agents.find((agent) => agent.name === value.agent && !agent.is_hidden);
}

/** Choose model, mode and options of an agent that is chosen elsewhere. */
export function ModelFields({
  value,
  onChange,
  repository = "",
}: Pick<Props, "value" | "onChange" | "repository">) {
  const known = knownOf(useAgents(repository).data?.agents ?? [], value);
  const hasMode = offered(known, "mode").length > 0;
  return (
    <div className={classes.row}>
      <Model agent={known} value={value} onChange={onChange} />
      <Mode agent={known} value={value} onChange={onChange} />
      <Options value={value} onChange={onChange} hasMode={hasMode} />
    </div>
  );
}

type Part = Pick<Props, "value" | "onChange"> & { readonly agent: AgentStatus | undefined };

function Model({ agent, value, onChange }: Part) {
  const models = useId();
  return (
    <>
      <TextInput
        label="Model"
        placeholder="default"
        value={value.model}
        onChange={(event) => onChange({ ...value, model: event.currentTarget.value })}
        spellCheck={false}
        list={models}
      />
      <datalist id={models}>
        {offered(agent, "model").map((each) => (
          <option key={each.value} value={each.value}>
            {each.name}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** The values of an option that an agent reported in its last test; none before one. */
function offered(agent: AgentStatus | undefined, category: string): readonly OfferedValue[] {
  const options = agent?.seen?.options ?? [];
  return options.find((option) => option.category === category)?.values ?? [];
}

/** Choose one of the modes that the agent reported; nothing where it reported none. */
function Mode({ agent, value, onChange }: Part) {
  const modes = offered(agent, "mode");
  if (modes.length === 0) {
    return null;
  }
  const { mode = "", ...others } = value.options;
  return (
    <NativeSelect
      size="xs"
      label="Mode"
      value={String(mode)}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        onChange({ ...value, options: chosen === "" ? others : { ...others, mode: chosen } });
      }}
      data={[
        { value: "", label: "default" },
        ...modes.map((each) => ({ value: each.value, label: each.name || each.value })),
      ]}
    />
  );
}

/** Type options; the mode is none of them where it has a field of its own. */
function Options({
  value,
  onChange,
  hasMode,
}: Pick<Props, "value" | "onChange"> & { readonly hasMode: boolean }) {
  const { mode, ...others } = value.options;
  return (
    <TextInput
      label="Options"
      placeholder="effort=high, web=false"
      defaultValue={optionsText(hasMode ? others : value.options)}
      onChange={(event) => {
        const typed = optionsOf(event.currentTarget.value);
        const saved = hasMode && mode !== undefined ? { mode } : {};
        onChange({ ...value, options: { ...saved, ...typed } });
      }}
      spellCheck={false}
    />
  );
}

/** What an agent still needs, and the command that fixes each. */
export function Missing({ agent }: { readonly agent: AgentStatus }) {
  const problem = agent.problem ?? "";
  const missing = agent.missing ?? [];
  if (problem === "" && missing.length === 0) {
    return null;
  }
  return (
    <ul className={classes.missing} aria-label={`Set up ${agent.name}`}>
      {problem !== "" && <li>{problem}</li>}
      {missing.map(({ what, fix, is_in_the_way: isInTheWay }) => (
        <li key={what + fix}>
          <span className={isInTheWay ? undefined : classes.aside}>
            {what}
            {fix && ": "}
          </span>
          {fix && <code>{fix}</code>}
        </li>
      ))}
    </ul>
  );
}
