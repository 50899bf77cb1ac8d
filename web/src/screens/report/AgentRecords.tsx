/** How agents did: the tasks that passed first, and candidates of the same tasks beside each other. */

import type { Schemas } from "@/api/client";
import { BarTable } from "@/screens/report/BarTable";
import { Panel } from "@/ui/Panel";

interface Props {
  readonly report: Schemas["Report"];
}

/** Show the records of agents; nothing where there are none. */
export function Records({ report }: Props) {
  const records = report.records ?? [];
  if (records.length === 0) {
    return null;
  }
  return (
    <Panel title="How agents did">
      <BarTable
        label="Tasks that passed their first verification, by agent, model, and kind of work"
        heads={["Agent and kind of work", "Tasks", "First verification"]}
        rows={records.map((record) => ({
          key: `${record.agent} ${record.model} ${record.kind}`,
          label: [record.agent, record.model].filter(Boolean).join(" · "),
          below: <span className="dim"> {record.kind || "all work"}</span>,
          size: record.tasks ?? 0,
          bad: (record.tasks ?? 0) - (record.passed_first ?? record.tasks ?? 0),
          cells: [record.tasks ?? 0, record.words ?? ""],
        }))}
      />
      <p className="dim">Ranges are 95 % confidence intervals.</p>
      <Versus report={report} />
    </Panel>
  );
}

/** How agents did that worked on the same task at once. */
function Versus({ report }: Props) {
  const lines = report.versus ?? [];
  const nameOf = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(" · ");
  if (lines.length === 0) {
    return null;
  }
  return (
    <BarTable
      label="Same tasks, done by both: who passed the first verification"
      heads={["Agents", "Tasks", "Only the first passed", "Only the second passed", "Same result"]}
      rows={lines.map(({ agent, model, other, other_model, won = 0, lost = 0, even = 0 }) => ({
        key: nameOf(agent, model, other, other_model),
        label: `${nameOf(agent, model)} and ${nameOf(other, other_model)}`,
        size: won + lost + even,
        cells: [won + lost + even, won, lost, even],
      }))}
    />
  );
}
