/** Agents that plan the same side by side, for the person to choose from. */

import { ActionIcon, Button } from "@mantine/core";
import { Plus, X } from "lucide-react";
import classes from "@/screens/new_thread/new_thread.module.css";
import type { AdditionalPlanner } from "@/screens/new_thread/request";
import { AgentPicker } from "@/ui/AgentPicker";

const MOST = 5;

interface Props {
  readonly planners: readonly AdditionalPlanner[];
  readonly repository: string;
  readonly onChange: (planners: readonly AdditionalPlanner[]) => void;
}

/** List the additional planners; each can be another agent, or the same with another model. */
export function Planners({ planners, repository, onChange }: Props) {
  return (
    <fieldset className={classes.planners}>
      <legend>Additional planners</legend>
      {planners.map((planner, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two planners may be the same agent
        <div key={index} className={classes.rival}>
          <AgentPicker
            label={`Planner ${index + 2}`}
            value={{ ...planner, options: {} }}
            onChange={({ agent, model }) => onChange(planners.with(index, { agent, model }))}
            repository={repository}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`Remove planner ${index + 2}`}
            onClick={() => onChange(planners.toSpliced(index, 1))}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      {planners.length < MOST && (
        <Button
          variant="subtle"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...planners, { agent: "", model: "" }])}
        >
          Add another planner
        </Button>
      )}
    </fieldset>
  );
}
