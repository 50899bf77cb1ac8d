/** The steps of a run with how each went; the one that it is at is marked. */

import type { Schemas } from "@/api/client";
import own from "@/screens/flow_run/flow_run.module.css";
import { kindOf } from "@/screens/flows/outline";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

type Step = Schemas["FlowStepView"];

const OUTCOMES: Readonly<Record<string, readonly [string, string]>> = {
  done: ["completed", "done"],
  broke: ["completed", "exited the loop"],
  continued: ["completed", "next round"],
  failed: ["failed", "failed"],
  no_answer: ["failed", "no valid answer"],
  stopped: ["stopped", "stopped"],
};

const ENDS: ReadonlySet<string> = new Set(["endLoop", "endIf", "else"]);

/** Return the steps that do something: the ends of loops and branches are left out. */
export function numberedOf(view: Schemas["FlowRunView"]): readonly Step[] {
  return (view.steps ?? []).filter((step) => !ENDS.has(step.type));
}

/** Show steps in order, those in loops further in. */
export function Steps({ view }: { readonly view: Schemas["FlowRunView"] }) {
  const at = view.place?.step_index;
  const isOver = view.status === "completed";
  return (
    <ol className="plain-list">
      {numberedOf(view).map((step) => {
        const isHere = !isOver && step.index === at;
        return (
          <li
            key={step.index}
            className={own.step}
            style={{ paddingInlineStart: 8 + (step.depth ?? 0) * 18 }}
            aria-current={isHere ? "step" : undefined}
          >
            <span className={own.number}>{step.index}</span>
            <div className={own.says}>
              <div className={own.stepHead}>
                {step.label ? <strong>{step.label}</strong> : <span>{kindOf(step.type)}</span>}
                {step.agent_type && (
                  <span className="mono dim">
                    {step.agent_type}/{step.identifier}
                  </span>
                )}
              </div>
              {step.text && step.text !== step.label && (
                <div className={own.text}>
                  <Safe text={step.text} />
                </div>
              )}
            </div>
            <Outcome step={step} status={isHere ? view.status : null} />
          </li>
        );
      })}
    </ol>
  );
}

function Outcome({ step, status }: { readonly step: Step; readonly status: string | null }) {
  const [shape, word] = OUTCOMES[step.outcome ?? ""] ?? [step.outcome ?? "", step.outcome ?? ""];
  return (
    <div className={own.outcome}>
      {status !== null ? <Status status={status} /> : word && <Status status={shape} word={word} />}
      <span className="dim">
        {[step.answer ? `“${step.answer}”` : "", (step.runs ?? 0) > 1 ? `${step.runs} times` : ""]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </div>
  );
}
