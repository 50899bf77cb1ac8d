/** Agents that plan the same side by side, for the person to choose from (features.md B6). */

import { ActionIcon, Button } from "@mantine/core";
import { Plus, X } from "lucide-react";
import classes from "@/screens/new_thread/new_thread.module.css";
import type { Rival } from "@/screens/new_thread/request";
import { AgentPicker } from "@/ui/AgentPicker";

const MOST = 5;

interface Props {
  readonly rivals: readonly Rival[];
  readonly repository: string;
  readonly onChange: (rivals: readonly Rival[]) => void;
}

/** List the rivals; each can be another agent, or the same with another model. */
export function Rivals({ rivals, repository, onChange }: Props) {
  return (
    <fieldset className={classes.rivals}>
      <legend>Additional planners</legend>
      {rivals.map((rival, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rivals may be the same agent
        <div key={index} className={classes.rival}>
          <AgentPicker
            label={`Planner ${index + 2}`}
            value={{ ...rival, options: {} }}
            onChange={({ agent, model }) => onChange(rivals.with(index, { agent, model }))}
            repository={repository}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`Remove planner ${index + 2}`}
            onClick={() => onChange(rivals.toSpliced(index, 1))}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      {rivals.length < MOST && (
        <Button
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...rivals, { agent: "", model: "" }])}
        >
          Add another planner
        </Button>
      )}
    </fieldset>
  );
}
