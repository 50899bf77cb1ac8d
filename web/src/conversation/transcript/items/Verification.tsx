/** An attempt's verification in the conversation of its task. */

import { verdictStatusOf } from "@/conversation/attempt_status";
import type { VerificationItem } from "@/conversation/projection/items";
import { Fold } from "@/conversation/transcript/items/Fold";
import { Long } from "@/conversation/transcript/Long";
import classes from "@/conversation/transcript/transcript.module.css";
import { formatDuration } from "@/format";
import { Ansi } from "@/ui/Ansi";
import { Status } from "@/ui/Status";

/** Show the steps of an attempt, the output of each folded. */
export function Verification({ item }: { readonly item: VerificationItem }) {
  const status = verdictStatusOf(item.passed, item.steps, item.held);
  return (
    <section className={classes.card} aria-label={`Verification, attempt ${item.attempt}`}>
      <div className={classes.cardTitle}>
        Verification, attempt {item.attempt} <Status status={status} />
        {item.held !== "" && <span className="dim">{item.held}</span>}
      </div>
      {item.steps.map((step) => (
        <Fold
          key={step.step_id}
          name={`${item.key} ${step.step_id}`}
          isOpen={!step.passed && step.is_required}
          head={
            <>
              <Status status={step.passed ? "passed" : "failed"} word="" />
              <span>{step.label}</span>
              {!step.is_required && <span className="dim">optional</span>}
            </>
          }
          tail={formatDuration(step.duration_ms, 1)}
        >
          {() => (
            <Long text={step.output.trimEnd() || "No output."}>
              {(text) => <Ansi text={text} />}
            </Long>
          )}
        </Fold>
      ))}
    </section>
  );
}
