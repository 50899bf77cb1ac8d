/** The parts of the report: ends, waits, verification, failures, agents, modes. */

import type { Schemas } from "@/api/client";
import { compact, formatDuration, percent } from "@/format";
import { Records } from "@/screens/report/AgentRecords";
import { BarTable } from "@/screens/report/BarTable";
import { Days } from "@/screens/report/Days";
import { costOf, sumOf } from "@/screens/report/figures";
import { paidOf, spentOf } from "@/ui/money";
import { Facts } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { Status } from "@/ui/Status";

type Report = Schemas["Report"];

interface Props {
  readonly report: Report;
}

/** Show all parts that have something to say. */
export function Sections({ report }: Props) {
  const days = report.days ?? [];
  return (
    <>
      {days.length > 1 && (
        <Panel title="Tasks by day">
          <Days days={days} />
        </Panel>
      )}
      <Ends report={report} />
      <Waits report={report} />
      <Steps report={report} />
      <Failures report={report} />
      <Spent report={report} />
      <Records report={report} />
      <Again report={report} />
    </>
  );
}

function Ends({ report }: Props) {
  const parts = [
    ["plans", "Plans", report.plans],
    ["tasks", "Tasks", report.tasks],
    ["flow_runs", "Flow runs", report.flow_runs],
  ] as const;
  return (
    <Panel title="Outcomes">
      <BarTable
        label="Outcomes of plans, tasks, and flow runs"
        heads={["Type", "Median", "p90", "Longest"]}
        rows={parts.map(([key, label, ends]) => ({
          key,
          label,
          below: <Outcomes ends={ends} />,
          size: sumOf(ends?.ended),
          bad: sumOf(ends?.ended) - (ends?.ended?.completed ?? 0),
          cells: [
            formatDuration(ends?.took?.median_ms ?? 0, 1),
            formatDuration(ends?.took?.p90_ms ?? 0, 1),
            formatDuration(ends?.took?.longest_ms ?? 0, 1),
          ],
        }))}
      />
    </Panel>
  );
}

function Outcomes({ ends }: { readonly ends: Schemas["Ends"] | undefined }) {
  const all = [...Object.entries(ends?.ended ?? {}), ...Object.entries(ends?.unfinished ?? {})];
  return (
    <span className={page.line}>
      {all.map(([status, count]) => (
        <Status key={status} status={status} word={`${count} ${status.replaceAll("_", " ")}`} />
      ))}
    </span>
  );
}

function Waits({ report }: Props) {
  const waits = report.waits ?? [];
  if (waits.length === 0) {
    return null;
  }
  return (
    <Panel title="Waiting time">
      <BarTable
        label="Waits by cause"
        heads={["Reason", "Total", "Count", "Median", "p90", "Waiting now"]}
        rows={waits.map(({ cause, phrase, took, waiting_now: now }) => ({
          key: cause,
          label: phrase,
          size: took?.total_ms ?? 0,
          cells: [
            ...(took?.count
              ? [
                  formatDuration(took.total_ms ?? 0, 1),
                  took.count,
                  formatDuration(took.median_ms ?? 0, 1),
                ]
              : ["–", "–", "–"]),
            took?.count ? formatDuration(took.p90_ms ?? 0, 1) : "–",
            now ? <Status key="now" status="waiting" word={String(now)} /> : "",
          ],
        }))}
      />
    </Panel>
  );
}

function Steps({ report }: Props) {
  const steps = report.steps ?? [];
  if (steps.length === 0) {
    return null;
  }
  return (
    <Panel title="Verification by step">
      <BarTable
        label="Verification steps"
        heads={["Step", "Runs", "Failed", "Failure rate", "Skipped", "Median", "p90"]}
        rows={steps.map((step) => ({
          key: step.label,
          label: step.label,
          size: step.ran ?? 0,
          bad: step.failed ?? 0,
          cells: [
            step.ran ?? 0,
            step.failed ?? 0,
            percent(step.failed ?? 0, step.ran ?? 0),
            step.not_made ?? 0,
            formatDuration(step.took?.median_ms ?? 0, 1),
            formatDuration(step.took?.p90_ms ?? 0, 1),
          ],
        }))}
      />
    </Panel>
  );
}

function Failures({ report }: Props) {
  const failures = report.failures ?? [];
  if (failures.length === 0) {
    return null;
  }
  return (
    <Panel title="Failures">
      <BarTable
        label="Failures by cause"
        heads={["Cause", "Details", "Count"]}
        rows={failures.map((failure) => ({
          key: `${failure.what} ${failure.cause}`,
          label: failure.cause,
          size: failure.count,
          bad: failure.count,
          cells: [failure.what, failure.count],
        }))}
      />
      {(report.other_failures ?? 0) > 0 && (
        <p className="dim">and {report.other_failures} other causes</p>
      )}
    </Panel>
  );
}

function Spent({ report }: Props) {
  const heads = ["Turns", "Work time", "Tools", "In", "Out", "Cached", "Cost"];
  const cellsOf = (spent: Schemas["AgentTotals"] | Schemas["ModeTotals"]) => {
    const atLeast = (spent.unreported_turns ?? 0) + (spent.partial_turns ?? 0) > 0 ? "≥ " : "";
    return [
      `${spent.turns ?? 0}${spent.failed_turns ? `, ${spent.failed_turns} failed` : ""}`,
      formatDuration(spent.work_ms ?? 0, 1),
      compact(spent.tool_calls ?? 0),
      `${atLeast}${compact(spent.input_tokens ?? 0)}`,
      `${atLeast}${compact(spent.output_tokens ?? 0)}`,
      compact(spent.cached_tokens ?? 0),
      costOf(spent) || "–",
    ];
  };
  const sizeOf = (spent: Schemas["AgentTotals"] | Schemas["ModeTotals"]) => ({
    size: (spent.input_tokens ?? 0) + (spent.output_tokens ?? 0),
    cells: cellsOf(spent),
  });
  return (
    <>
      <Panel title="Tokens and cost by agent">
        <BarTable
          label="Turns, tokens and cost by agent and model"
          heads={["Agent", ...heads]}
          rows={(report.by_agent ?? []).map((spent) => ({
            key: `${spent.agent} ${spent.model ?? ""}`,
            label: [spent.agent, spent.model].filter(Boolean).join(" · "),
            ...sizeOf(spent),
          }))}
        />
        <p className="dim">
          Tokens as reported by agents; ≥ marks totals without the turns that report none. Costs as
          reported, else by list prices.
        </p>
      </Panel>
      <Panel title="By mode">
        <BarTable
          label="Turns, tokens and cost by mode"
          heads={["Mode", ...heads]}
          rows={(report.by_mode ?? []).map((spent) => ({
            key: spent.mode,
            label: spent.mode,
            ...sizeOf(spent),
          }))}
        />
      </Panel>
      <MoneyTable
        title="Cost by month"
        head={`Month (${report.time_zone ?? "UTC"})`}
        lines={report.by_month ?? []}
      />
      <MoneyTable title="Cost by repository" head="Repository" lines={report.by_project ?? []} />
    </>
  );
}

interface MoneyTableProps {
  readonly title: string;
  readonly head: string;
  readonly lines: readonly Schemas["MoneyTotals"][];
}

function MoneyTable({ title, head, lines }: MoneyTableProps) {
  if (lines.length === 0) {
    return null;
  }
  return (
    <Panel title={title}>
      <BarTable
        label={`Turns and ${title.toLowerCase()}`}
        heads={[head, "Turns", "Cost"]}
        rows={lines.map(({ name, turns, money }) => ({
          key: name,
          label: name,
          size: paidOf(money),
          cells: [turns ?? 0, spentOf(money) || "–"],
        }))}
      />
    </Panel>
  );
}

function Again({ report }: Props) {
  const again = report.repeats;
  const of = (part: number | undefined, whole: number | undefined) =>
    `${part ?? 0} of ${whole ?? 0} (${percent(part ?? 0, whole ?? 0)})`;
  return (
    <Panel title="Rework">
      <Facts
        facts={[
          ["Runs of tasks", of(again?.task_runs_again, again?.task_runs)],
          ["Verifications", of(again?.verifications_again, again?.verifications)],
          ["Plans rejected", of(again?.plans_rejected, again?.plans_proposed)],
          ["Changes rejected", of(again?.gates_rejected, again?.gates)],
          ["Turns delayed by a provider", String(again?.provider_refusals ?? 0)],
        ]}
      />
    </Panel>
  );
}
