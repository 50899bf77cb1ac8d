/** What a plan says in words, and what it will use. */

import { consequencesOf, wordsOf } from "@/plans/consequences";
import type { Plan } from "@/plans/models";
import { stepWords } from "@/plans/wordings";
import { Markdown } from "@/ui/Markdown";
import { Section } from "@/ui/Section";

interface Props {
  readonly plan: Plan;
  readonly agent: string;
  /** The bar below says what it will use already, except the files. */
  readonly isAsked: boolean;
}

/** Show approach, summary, considerations, risk, questions, and what the plan will use. */
export function Description({ plan, agent, isAsked }: Props) {
  const used = consequencesOf(plan, agent);
  return (
    <>
      <Section title="Approach">
        {plan.approach !== "" && <Markdown text={plan.approach} />}
      </Section>
      <Section title="Summary">{plan.summary !== "" && <Markdown text={plan.summary} />}</Section>
      <Section title="Considerations">
        {plan.considerations.length > 0 && (
          <ul>
            {plan.considerations.map((text) => (
              <li key={text}>
                <Markdown text={text} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Key risk">
        {plan.key_risk !== "" && <Markdown text={plan.key_risk} />}
      </Section>
      <Section title="Questions for you">
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
      </Section>
      <Section title="Verification">
        {plan.verification.length > 0 && (
          <ul>
            {plan.verification.map((step) => (
              <li key={step.id} className="mono">
                {stepWords(step)}
              </li>
            ))}
          </ul>
        )}
      </Section>
      {isAsked ? (
        <Section title="Likely files">
          {used.files.length > 0 && <span className="mono">{used.files.join(", ")}</span>}
        </Section>
      ) : (
        <Section title="Resources">
          <ul>
            {wordsOf(used).map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
