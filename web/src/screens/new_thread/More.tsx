/** What of a new thread is seldom said: template, parallel tasks, plan files, priority. */

import { NativeSelect, NumberInput } from "@mantine/core";
import { Link } from "wouter";
import { useTemplates } from "@/api/resources";
import classes from "@/screens/new_thread/new_thread.module.css";
import type { Wish } from "@/screens/new_thread/request";

interface Props {
  readonly wish: Wish;
  /** The path once it is not being typed any more. */
  readonly repository: string;
  readonly onChange: (part: Partial<Wish>) => void;
  readonly error: string | undefined;
}

const CHOICES = [
  { value: "", label: "As the engine is set" },
  { value: "yes", label: "Yes" },
  { value: "no", label: "No" },
];

function choiceOf(value: string): "" | "yes" | "no" {
  return value === "yes" || value === "no" ? value : "";
}

/** Show the template, and the rest folded. */
export function More({ wish, repository, onChange, error }: Props) {
  const templates = useTemplates(repository.startsWith("/") ? repository : "");
  const found = templates.data?.templates ?? [];
  const chosen = found.find((template) => template.choice === wish.template);
  return (
    <>
      <div>
        <NativeSelect
          size="xs"
          label="Template"
          value={wish.template}
          error={error}
          description={chosen?.description}
          data={[
            { value: "", label: "The default one" },
            ...found
              .filter((template) => !template.problem)
              .map(({ choice, label }) => ({ value: choice, label })),
          ]}
          onChange={(event) => onChange({ template: event.currentTarget.value })}
        />
        {chosen && !chosen.is_trusted && (
          <p className={classes.error}>
            It comes with the repository and runs commands:{" "}
            <Link href="/templates">look at it and trust it first</Link>.
          </p>
        )}
      </div>
      <details className={classes.more}>
        <summary>More</summary>
        <div className={classes.fields}>
          <NumberInput
            size="xs"
            label="Tasks at once"
            description="1 to 100"
            placeholder="as the engine is set"
            min={1}
            max={100}
            value={wish.parallel ?? ""}
            onChange={(value) => onChange({ parallel: typeof value === "number" ? value : null })}
          />
          <NativeSelect
            size="xs"
            label="Start plans unasked"
            description="those without warnings"
            data={CHOICES}
            value={wish.autoRun}
            disabled={!wish.isPlanned}
            onChange={(event) => onChange({ autoRun: choiceOf(event.currentTarget.value) })}
          />
          <NativeSelect
            size="xs"
            label="Let agents keep plan files"
            description="notes beside the work"
            data={CHOICES}
            value={wish.planFiles}
            onChange={(event) => onChange({ planFiles: choiceOf(event.currentTarget.value) })}
          />
          <NumberInput
            size="xs"
            label="Priority in the queue"
            description="1 is first, 5 last"
            min={1}
            max={5}
            value={wish.priority}
            onChange={(value) => onChange({ priority: Number(value) || 3 })}
          />
        </div>
      </details>
    </>
  );
}
