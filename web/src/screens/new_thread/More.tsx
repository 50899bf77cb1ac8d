/** What of a new thread is seldom set: model, other repositories and planners, template, host, limits. */

import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useTemplates } from "@/api/resources";
import { FieldError } from "@/screens/new_thread/FieldError";
import classes from "@/screens/new_thread/new_thread.module.css";
import { OtherRepositories } from "@/screens/new_thread/OtherRepositories";
import { Planners } from "@/screens/new_thread/Planners";
import { changedIn, type ThreadRequest } from "@/screens/new_thread/request";
import { ModelFields } from "@/ui/AgentPicker";
import { HostFields, type HostWish } from "@/ui/HostFields";

interface Props {
  readonly request: ThreadRequest;
  /** The path once it is not being typed any more. */
  readonly repository: string;
  readonly onChange: (part: Partial<ThreadRequest>) => void;
  /** What is wrong, by field. */
  readonly errors: Readonly<Record<string, string>>;
}

const HERE = [
  "model",
  "options",
  "also",
  "template",
  "parallel",
  "maxUsd",
  "autoRun",
  "planFiles",
  "host",
  "bestOf",
  "priority",
];

const CHOICES = [
  { value: "", label: "Engine default" },
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

function choiceOf(value: string): "" | "yes" | "no" {
  return value === "yes" || value === "no" ? value : "";
}

/** Show it folded, with what differs from the default; open where something in it is wrong. */
export function More(props: Props) {
  const { request, errors } = props;
  const [isOpen, setOpen] = useState(false);
  const isWrong = HERE.some((field) => errors[field] !== undefined);
  const changed = changedIn(request);
  return (
    <details
      className={classes.more}
      open={isOpen || isWrong}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        More options {changed.length > 0 && <span className="dim">{changed.join(" · ")}</span>}
      </summary>
      {(isOpen || isWrong) && <Fields {...props} />}
    </details>
  );
}

function Fields({ request, repository, onChange, errors }: Props) {
  const templates = useTemplates(repository.startsWith("/") ? repository : "");
  const found = templates.data?.templates ?? [];
  const chosen = found.find((template) => template.choice === request.template);
  const keepHost = ({ host, labels }: HostWish) => onChange({ host, labels });
  return (
    <div className={classes.rest}>
      <div>
        <ModelFields
          value={request}
          onChange={(choice) => onChange(choice)}
          repository={repository}
        />
        <FieldError text={errors.model ?? errors.options} />
      </div>
      <OtherRepositories
        paths={request.also}
        onChange={(also) => onChange({ also })}
        error={errors.also}
      />
      <Planners
        planners={request.planners}
        repository={repository}
        onChange={(planners) => onChange({ planners })}
      />
      <div>
        <NativeSelect
          size="xs"
          label="Template"
          value={request.template}
          error={errors.template}
          description={chosen?.description}
          data={[
            { value: "", label: "Default" },
            ...found
              .filter((template) => !template.problem)
              .map(({ choice, label }) => ({ value: choice, label })),
          ]}
          onChange={(event) => onChange({ template: event.currentTarget.value })}
        />
        {chosen && !chosen.is_trusted && (
          <p className={classes.error}>
            This template comes with the repository and runs commands:{" "}
            <Link href="/templates">review and trust it first</Link>.
          </p>
        )}
      </div>
      <div className={classes.fields}>
        <HostFields value={request} onChange={keepHost} error={errors.host} />
      </div>
      <div className={classes.fields}>
        <NumberInput
          size="xs"
          label="Parallel tasks"
          error={errors.parallel}
          description="1 to 100"
          placeholder="engine default"
          min={1}
          max={100}
          value={request.parallel ?? ""}
          onChange={(value) => onChange({ parallel: typeof value === "number" ? value : null })}
        />
        <NumberInput
          size="xs"
          label="Spending limit"
          error={errors.maxUsd}
          description="in USD; once reached, you are asked"
          placeholder="none"
          prefix="$"
          min={0.01}
          max={1_000_000}
          decimalScale={2}
          value={request.maxUsd ?? ""}
          onChange={(value) => onChange({ maxUsd: typeof value === "number" ? value : null })}
        />
        <NativeSelect
          size="xs"
          label="Auto-approve plans"
          error={errors.autoRun}
          description="only plans without warnings"
          data={CHOICES}
          value={request.autoRun}
          onChange={(event) => onChange({ autoRun: choiceOf(event.currentTarget.value) })}
        />
        <NativeSelect
          size="xs"
          label="Plan files"
          error={errors.planFiles}
          description="notes that agents keep alongside the work"
          data={CHOICES}
          value={request.planFiles}
          onChange={(event) => onChange({ planFiles: choiceOf(event.currentTarget.value) })}
        />
        <TextInput
          size="xs"
          label="Best of"
          description="several agents do each task in parallel; you take the work of one"
          placeholder="claude, codex, treadle:qwen3"
          value={request.bestOf}
          error={errors.bestOf}
          onChange={(event) => onChange({ bestOf: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label="Best of: stop"
          data={[
            { value: "all", label: "When all have finished" },
            { value: "first_passed", label: "When the first passes" },
          ]}
          value={request.bestOfEnds}
          onChange={(event) =>
            onChange({
              bestOfEnds: event.currentTarget.value === "all" ? "all" : "first_passed",
            })
          }
        />
        <NumberInput
          size="xs"
          label="Queue priority"
          error={errors.priority}
          description="1 (highest) to 5"
          min={1}
          max={5}
          value={request.priority}
          onChange={(value) => onChange({ priority: Number(value) || 3 })}
        />
      </div>
    </div>
  );
}
