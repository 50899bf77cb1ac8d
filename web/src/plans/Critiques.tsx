/** What other agents say against a plan. */

import type { Schemas } from "@/api/client";
import { Markdown } from "@/ui/Markdown";
import { Section } from "@/ui/Section";
import { Status } from "@/ui/Status";

/** Show each critic's word, or that it works still. */
export function Critiques({ critiques }: { readonly critiques: readonly Schemas["Critique"][] }) {
  return critiques.map(({ session_id, text, failure }, index) => (
    <Section key={session_id} title={`Critique ${index + 1}`}>
      {text === "" && failure === "" && <Status status="running" word="reviewing the plan" />}
      {failure !== "" && <Status status="failed" word={failure} />}
      {text !== "" && <Markdown text={text} />}
    </Section>
  ));
}
