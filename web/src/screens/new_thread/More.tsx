/** What of a new thread is seldom set: template, parallel tasks, plan files, priority. */

import { NativeSelect, NumberInput } from "@mantine/core";
import { Link } from "wouter";
import { useTemplates } from "@/api/resources";
import classes from "@/screens/new_thread/new_thread.module.css";
import type { ThreadRequest } from "@/screens/new_thread/request";
import { HostFields, type HostWish } from "@/ui/HostFields";

interface Props {
  readonly request: ThreadRequest;
  /** The path once it is not being typed any more. */
  readonly repository: string;
  readonly onChange: (part: Partial<ThreadRequest>) => void;
  readonly error: string | undefined;
  readonly hostError: string | undefined;
}

const CHOICES = [
  { value: "", label: "Engine default" },
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

function choiceOf(value: string): "" | "yes" | "no" {
  return value === "yes" || value === "no" ? value : "";
}

/** Show the template, and the rest folded. */
export function More({ request, repository, onChange, error, hostError }: Props) {
  const templates = useTemplates(repository.startsWith("/") ? repository : "");
  const found = templates.data?.templates ?? [];
  const chosen = found.find((template) => template.choice === request.template);
  const keepHost = ({ host, labels }: HostWish) => onChange({ host, labels });
  return (
    <>
      <div>
        <NativeSelect
          size="xs"
          label="Template"
          value={request.template}
          error={error}
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
        <HostFields value={request} onChange={keepHost} error={hostError} />
      </div>
      <details className={classes.more}>
        <summary>More options</summary>
        <div className={classes.fields}>
          <NumberInput
            size="xs"
            label="Parallel tasks"
            description="1 to 100"
            placeholder="engine default"
            min={1}
            max={100}
            value={request.parallel ?? ""}
            onChange={(value) => onChange({ parallel: typeof value === "number" ? value : null })}
          />
          <NativeSelect
            size="xs"
            label="Auto-approve plans"
            description="only plans without warnings"
            data={CHOICES}
            value={request.autoRun}
            onChange={(event) => onChange({ autoRun: choiceOf(event.currentTarget.value) })}
          />
          <NativeSelect
            size="xs"
            label="Plan files"
            description="notes that agents keep alongside the work"
            data={CHOICES}
            value={request.planFiles}
            onChange={(event) => onChange({ planFiles: choiceOf(event.currentTarget.value) })}
          />
          <NumberInput
            size="xs"
            label="Queue priority"
            description="1 (highest) to 5"
            min={1}
            max={5}
            value={request.priority}
            onChange={(value) => onChange({ priority: Number(value) || 3 })}
          />
        </div>
      </details>
    </>
  );
}
