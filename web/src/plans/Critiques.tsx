/** What other agents say against a plan. */

import type { Schemas } from "@/api/client";
import classes from "@/plans/panel.module.css";
import { Markdown } from "@/ui/Markdown";
import { Status } from "@/ui/Status";

/** Show each critic's word, or that it works still. */
export function Critiques({ critiques }: { readonly critiques: readonly Schemas["Critique"][] }) {
  return critiques.map(({ session_id, text, failure }, index) => (
    <section key={session_id} className={classes.section} aria-label={`Critique ${index + 1}`}>
      <h3>Critique {index + 1}</h3>
      {text === "" && failure === "" && <Status status="running" word="reviewing the plan" />}
      {failure !== "" && <Status status="failed" word={failure} />}
      {text !== "" && <Markdown text={text} />}
    </section>
  ));
}
