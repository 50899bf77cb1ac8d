/** The report: what plans, tasks, flow runs and agents took. */

import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useSearchParams } from "wouter";
import { useReport } from "@/api/reports";
import { problemOf } from "@/api/resources";
import { tilesOf } from "@/screens/report/figures";
import { MonthlyLimits } from "@/screens/report/MonthlyLimits";
import own from "@/screens/report/report.module.css";
import { Sections } from "@/screens/report/Sections";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { LinkButton } from "@/ui/LinkButton";
import { Page } from "@/ui/Page";
import page from "@/ui/page.module.css";
import { RepositoryFilter } from "@/ui/RepositoryPicker";

const PERIODS = [
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
  { value: "all", label: "All time" },
];

/** The screen of the report; what it is narrowed to stands in its address. */
export default function Screen() {
  const [query, setQuery] = useSearchParams();
  const since = query.get("since") ?? "7d";
  const project = query.get("project") ?? "";
  const report = useReport(since === "all" ? "" : since, project);
  const change = (name: string, value: string) =>
    setQuery(
      (before) => {
        before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const asked = new URLSearchParams({
    ...(since === "all" ? {} : { since }),
    ...(project === "" ? {} : { project }),
  });
  return (
    <Page
      title="Report"
      actions={
        <Button
          component="a"
          href={`/v1/report.html?${asked}`}
          target="_blank"
          rel="noopener"
          variant="default"
        >
          Export report
        </Button>
      }
      below={
        <>
          <SegmentedControl
            aria-label="Since"
            data={PERIODS}
            value={PERIODS.some(({ value }) => value === since) ? since : ""}
            onChange={(value) => change("since", value)}
          />
          <Since key={since} since={since} onChange={(value) => change("since", value)} />
          <RepositoryFilter value={project} onChange={(path) => change("project", path)} />
        </>
      }
    >
      <div className={`${page.column} ${page.padded}`}>
        <Failure problem={problemOf(report.error)} onRetry={() => void report.refetch()} />
        {report.data && <Whole report={report.data} />}
      </div>
    </Page>
  );
}

function Since({
  since,
  onChange,
}: {
  readonly since: string;
  readonly onChange: (since: string) => void;
}) {
  const take = (typed: string) => typed.trim() !== "" && onChange(typed.trim());
  return (
    <TextInput
      label="or since"
      placeholder="12h, 2w, 2026-11-01"
      w={150}
      defaultValue={PERIODS.some(({ value }) => value === since) ? "" : since}
      onKeyDown={(event) => event.key === "Enter" && take(event.currentTarget.value)}
      onBlur={(event) => take(event.currentTarget.value)}
    />
  );
}

function Whole({ report }: { readonly report: NonNullable<ReturnType<typeof useReport>["data"]> }) {
  if ((report.events ?? 0) === 0) {
    return (
      <Empty
        title="No activity in this period"
        text="Outcomes, waiting times, failures, and costs appear here."
      >
        <LinkButton to="/new">Start a thread</LinkButton>
      </Empty>
    );
  }
  return (
    <>
      <section className={own.tiles} aria-label="Key numbers">
        {tilesOf(report).map(({ what, number, note }) => (
          <div key={what} className={own.tile}>
            <span className="dim">{what}</span>
            <b>{number}</b>
            <span className="dim">{note}</span>
          </div>
        ))}
      </section>
      <Sections report={report} />
      <MonthlyLimits />
    </>
  );
}
