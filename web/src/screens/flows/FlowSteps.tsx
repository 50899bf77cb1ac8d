/** The steps of a flow as an indented list. */

import type { Schemas } from "@/api/client";
import classes from "@/screens/flows/flows.module.css";
import { kindOf, outlineOf, wordsOf } from "@/screens/flows/outline";
import { Safe } from "@/ui/Safe";

const SHOWN = 600;

/** Show steps with their numbers, who does them, and what stands in which loop. */
export function FlowSteps({ steps }: { readonly steps: readonly Schemas["FlowStep"][] }) {
  return (
    <ol className="plain-list">
      {outlineOf(steps).map(({ step, depth, isNumbered }) => (
        <li
          key={`${step.kind}-${step.index}`}
          className={classes.step}
          style={{ paddingInlineStart: depth * 22 }}
          data-kind={step.kind}
        >
          <span className={classes.number}>{isNumbered ? step.index : ""}</span>
          <span className={classes.kind}>{kindOf(step.kind)}</span>
          <StepText step={step} />
        </li>
      ))}
    </ol>
  );
}

function StepText({ step }: { readonly step: Schemas["FlowStep"] }) {
  const slot = step.slot ?? step.condition?.slot;
  const words = wordsOf(step);
  return (
    <div className={classes.says}>
      <div className={classes.stepHead}>
        {step.label && <strong>{step.label}</strong>}
        {slot && (
          <span className="mono dim">
            {slot.agent_type}/{slot.identifier}
          </span>
        )}
        {step.output_key && <span className="dim">saves {step.output_key}</span>}
        {(step.inputs ?? []).length > 0 && (
          <span className="dim">uses {(step.inputs ?? []).join(", ")}</span>
        )}
        {step.is_failure_passed && <span className="dim">continues on failure</span>}
      </div>
      {words !== "" && (
        <div className={classes.words} data-code={step.kind === "command" && !step.summary}>
          <Safe text={words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words} />
        </div>
      )}
      {(step.options ?? []).length > 0 && (
        <div className="dim">choices: {(step.options ?? []).join(" · ")}</div>
      )}
    </div>
  );
}
