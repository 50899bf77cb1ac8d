/** What a plan says in words, and what it will use. */

import type { ReactNode } from "react";
import { consequencesOf, wordsOf } from "@/plans/consequences";
import type { Plan } from "@/plans/models";
import classes from "@/plans/panel.module.css";
import { stepWords } from "@/plans/wordings";
import { Markdown } from "@/ui/Markdown";

interface Props {
  readonly plan: Plan;
  readonly agent: string;
  /** The bar below says what it will use already, but for the files. */
  readonly isAsked: boolean;
}

/** Show approach, summary, considerations, risk, questions, and what the plan will use. */
export function Description({ plan, agent, isAsked }: Props) {
  const used = consequencesOf(plan, agent);
  return (
    <>
      <Part title="Approach">{plan.approach !== "" && <Markdown text={plan.approach} />}</Part>
      <Part title="Summary">{plan.summary !== "" && <Markdown text={plan.summary} />}</Part>
      <Part title="Considerations">
        {plan.considerations.length > 0 && (
          <ul>
            {plan.considerations.map((text) => (
              <li key={text}>
                <Markdown text={text} />
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title="Key risk">{plan.key_risk !== "" && <Markdown text={plan.key_risk} />}</Part>
      <Part title="Questions for you">
        {plan.decisions.length > 0 && (
          <ul>
            {plan.decisions.map(({ id, question, options }) => (
              <li key={id}>
                {question}{" "}
                <span className="dim">{options.map(({ label }) => label).join(" · ")}</span>
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title="Verification">
        {plan.verification.length > 0 && (
          <ul>
            {plan.verification.map((step) => (
              <li key={step.id} className="mono">
                {stepWords(step)}
              </li>
            ))}
          </ul>
        )}
      </Part>
      {isAsked ? (
        <Part title="Likely files">
          {used.files.length > 0 && <span className="mono">{used.files.join(", ")}</span>}
        </Part>
      ) : (
        <Part title="Resources">
          <ul>
            {wordsOf(used).map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

interface PartProps {
  readonly title: string;
  /** Nothing leaves the whole part out. */
  readonly children: ReactNode;
}

/** A titled part of a plan's description. */
export function Part({ title, children }: PartProps) {
  if (!children) {
    return null;
  }
  return (
    <section className={classes.section} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
