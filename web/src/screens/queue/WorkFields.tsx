/** The fields of a goal or a flow that is to be done later: for the queue and for schedules. */

import { NativeSelect, NumberInput, SegmentedControl, Textarea, TextInput } from "@mantine/core";
import { useFlows, useTemplates } from "@/api/resources";
import type { Work } from "@/screens/queue/work";
import { AgentPicker } from "@/ui/AgentPicker";
import { HostFields } from "@/ui/HostFields";
import classes from "@/ui/page.module.css";
import { RepositoryPicker } from "@/ui/RepositoryPicker";

interface Props {
  readonly work: Work;
  readonly onChange: (work: Work) => void;
  /** Ids that the goal's branch may begin at. */
  readonly bases?: readonly string[];
}

const KINDS = [
  { value: "thread", label: "Goal" },
  { value: "flow", label: "Flow" },
];

/** Take what is to be done, where, and by whom. */
export function WorkFields({ work, onChange, bases = [] }: Props) {
  const change = (part: Partial<Work>) => onChange({ ...work, ...part });
  return (
    <div className={classes.form}>
      <SegmentedControl
        aria-label="Type"
        data={KINDS}
        value={work.kind}
        onChange={(kind) => change({ kind: kind === "flow" ? "flow" : "thread" })}
        style={{ alignSelf: "flex-start" }}
      />
      {work.kind === "thread" && (
        <Textarea
          label="Goal"
          placeholder="What should be done?"
          autosize
          minRows={2}
          maxRows={10}
          required
          value={work.goal}
          onChange={(event) => change({ goal: event.currentTarget.value })}
        />
      )}
      <div className={classes.fields}>
        <RepositoryPicker
          value={work.repository}
          onChange={(repository) => change({ repository })}
          isRequired
        />
        {work.kind === "flow" ? (
          <FlowField work={work} change={change} />
        ) : (
          <GoalFields work={work} change={change} bases={bases} />
        )}
        <NumberInput
          size="xs"
          label="Priority"
          description="1 (highest) to 5"
          min={1}
          max={5}
          value={work.priority}
          onChange={(priority) => change({ priority: Number(priority) || 3 })}
        />
        <HostFields value={work} onChange={({ host, labels }) => change({ host, labels })} />
      </div>
      <AgentPicker
        repository={work.repository}
        value={{ agent: work.agent, model: work.model, options: {} }}
        onChange={({ agent, model }) => change({ agent, model })}
      />
    </div>
  );
}

interface FieldProps {
  readonly work: Work;
  readonly change: (part: Partial<Work>) => void;
}

function FlowField({ work, change }: FieldProps) {
  const flows = useFlows(work.repository).data?.flows ?? [];
  const usable = flows.filter((flow) => !flow.disabled && !flow.is_hidden);
  return (
    <NativeSelect
      size="xs"
      label="Flow"
      required
      value={work.flow}
      onChange={(event) => change({ flow: event.currentTarget.value })}
      data={[
        { value: "", label: "Choose a flow" },
        ...usable.map(({ name, scope }) => ({ value: name, label: `${name} (${scope})` })),
      ]}
    />
  );
}

function GoalFields({ work, change, bases }: FieldProps & { readonly bases: readonly string[] }) {
  const templates = useTemplates(work.repository).data?.templates ?? [];
  return (
    <>
      <NativeSelect
        size="xs"
        label="Template"
        value={work.template}
        onChange={(event) => change({ template: event.currentTarget.value })}
        data={[
          { value: "", label: "Default" },
          ...templates.map(({ choice, label }) => ({ value: choice, label })),
        ]}
      />
      <TextInput
        label="Start from the branch of"
        placeholder="HEAD of the repository"
        list="treadle-bases"
        value={work.base}
        onChange={(event) => change({ base: event.currentTarget.value })}
      />
      <datalist id="treadle-bases">
        {bases.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  );
}
