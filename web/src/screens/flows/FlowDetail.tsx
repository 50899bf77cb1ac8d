/** One flow: what it does, whether it may, how it is run, and its runs. */

import { post, type Schemas } from "@/api/client";
import { problemOf, useFlow } from "@/api/resources";
import { plural } from "@/format";
import { FlowSteps } from "@/screens/flows/FlowSteps";
import classes from "@/screens/flows/flows.module.css";
import { RunForm } from "@/screens/flows/RunForm";
import { Runs } from "@/screens/flows/Runs";
import { Failure } from "@/ui/Failure";
import { Panel } from "@/ui/Panel";
import page from "@/ui/page.module.css";
import { Trust } from "@/ui/Trust";

interface Props {
  readonly name: string;
  readonly repository: string;
}

/** Show a flow by its name, or by scope and name. */
export function FlowDetail({ name, repository }: Props) {
  const query = useFlow(name, repository);
  if (query.error) {
    return <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <p className="dim">Loading the flow…</p>;
  }
  const { flow, definition, text } = query.data;
  return (
    <div className={page.column}>
      <Head flow={flow} />
      {flow.disabled && <Broken flow={flow} text={text ?? ""} />}
      {!flow.disabled && !flow.is_trusted && (
        <Trust
          what="this flow"
          acts={flow.commands ?? []}
          contentHash={flow.content_hash ?? ""}
          query="flows"
          trust={() =>
            post(
              "/v1/flows/trust",
              {},
              {
                flow: `${flow.scope}:${flow.name}`,
                repository,
                content_hash: flow.content_hash ?? "",
              },
            )
          }
        />
      )}
      {!flow.disabled && flow.is_trusted && (
        <RunForm key={flow.path} flow={flow} repository={repository} />
      )}
      {definition && (
        <Panel title={`Steps (${definition.total ?? 0})`}>
          <FlowSteps steps={definition.steps ?? []} />
        </Panel>
      )}
      <Runs flow={flow.name} />
    </div>
  );
}

function Head({ flow }: { readonly flow: Schemas["FlowRow"] }) {
  return (
    <header>
      <h2>{flow.name}</h2>
      {flow.description && <p>{flow.description}</p>}
      <div className="dim mono ellipsis" title={flow.path}>
        {flow.scope} · {flow.path}
      </div>
      {(flow.warnings ?? []).map((warning) => (
        <div key={warning}>{warning}</div>
      ))}
    </header>
  );
}

function Broken({ flow, text }: { readonly flow: Schemas["FlowRow"]; readonly text: string }) {
  const problems = flow.problems ?? [];
  const broken = new Set(problems.map((problem) => problem.line));
  const rows = text === "" ? [] : text.split("\n").slice(0, 2_000);
  return (
    <Panel title={`This flow cannot run: ${plural(problems.length || 1, "problem")}`}>
      <div className={page.form}>
        <ul className="plain-list">
          {problems.map((problem) => (
            <li
              key={`${problem.line}-${problem.field}-${problem.type}`}
              className={classes.problem}
            >
              <div>{problem.message}</div>
              <div className="dim mono">
                line {problem.line}, column {problem.column}
                {typeof problem.step === "number" && `, step ${problem.step}`}
                {problem.field && `, ${problem.field}`} ({problem.type})
              </div>
            </li>
          ))}
          {problems.length === 0 && <li>{flow.error}</li>}
        </ul>
        {rows.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre className={classes.source} tabIndex={0}>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
              <span key={index} className={classes.sourceLine} data-broken={broken.has(index + 1)}>
                {row}
                {"\n"}
              </span>
            ))}
          </pre>
        )}
        <p className="dim">Fix the file, then reload this page.</p>
      </div>
    </Panel>
  );
}
