/** One plan template: its fields, its text, and whether its commands may run. */

import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { ofHost, problemOf, useTemplate } from "@/api/resources";
import { Empty } from "@/ui/Empty";
import { Failure } from "@/ui/Failure";
import { Markdown } from "@/ui/Markdown";
import { Facts, Sideways } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";
import { Trust } from "@/ui/Trust";

interface Props {
  readonly choice: string;
  readonly repository: string;
  /** Whose file it is; empty is the first that has it. */
  readonly host: string;
}

/** Show a plan template by its choice, `builtin:default`. */
export function PlanTemplate({ choice, repository, host }: Props) {
  const query = useTemplate(choice, repository, host);
  const [shown, setShown] = useState("fields");
  if (query.error) {
    return <Failure problem={problemOf(query.error)} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) {
    return <p className="dim">Loading the template…</p>;
  }
  const { found, template, text } = query.data;
  return (
    <div className={classes.column}>
      <header className={classes.line}>
        <h2>{found.label}</h2>
        <SegmentedControl
          aria-label="Show"
          data={[
            { value: "fields", label: "Fields" },
            { value: "text", label: "Text" },
          ]}
          value={shown}
          onChange={setShown}
        />
      </header>
      <div>
        <p>{found.description}</p>
        <div className="dim mono ellipsis" title={found.path}>
          {found.path}
        </div>
      </div>
      {found.problem && (
        <Empty
          title="This template is invalid"
          text={`line ${found.problem.line}, column ${found.problem.column}: ${found.problem.message}`}
        />
      )}
      {(found.warnings ?? []).map((warning) => (
        <p key={warning}>{warning}</p>
      ))}
      {found.is_trusted === false && (
        <Trust
          what="this template"
          acts={found.acts ?? []}
          contentHash={found.content_hash ?? ""}
          query="templates"
          host={host}
          trust={() =>
            post(
              "/v1/templates/trust",
              {},
              { template: found.choice, repository, content_hash: found.content_hash ?? "" },
              ofHost(host),
            )
          }
        />
      )}
      {shown === "fields" && template ? (
        <Fields template={template} />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={classes.code} tabIndex={0}>
          {text}
        </pre>
      )}
    </div>
  );
}

function Fields({ template }: { readonly template: Schemas["PlanTemplate"] }) {
  const { verification, resources, git } = template;
  const ports = resources?.default_ports ?? [];
  const saved = verification?.kept ?? [];
  return (
    <>
      <Panel title="Verification">
        <Steps steps={verification?.steps ?? []} />
        <Facts
          facts={[
            ["Attempts", `up to ${Math.max(verification?.max_retries ?? 1, 1)}`],
            ["Cached between runs", saved.length === 0 ? "" : saved.join(", ")],
          ]}
        />
      </Panel>
      <Panel title="Conventions">
        <Facts
          facts={[
            ["Gate", template.gate === "auto" ? "merges automatically" : "needs your approval"],
            ["Approved by", approversOf(template.approvals)],
            ["Labels of its host", (template.labels ?? []).join(", ")],
            ["Task plans", template.plan_approval ?? ""],
            ["Branches", `${git?.branch_strategy ?? ""}, ${git?.branch_prefix ?? ""}…`],
            ["Pull request", git?.open_pr ? `opened to ${git.pr_target ?? "the default"}` : "none"],
            [
              "Ports",
              ports.map(({ id, description }) => `${id} ${description ?? ""}`.trim()).join(", "),
            ],
          ]}
        />
      </Panel>
      <TextPanel title="Guidance" text={template.guidance ?? ""} />
      <TextPanel title="For planners" text={template.planning_hints ?? ""} />
      <TextPanel title="For agents" text={template.agent_instructions ?? ""} />
    </>
  );
}

function TextPanel({ title, text }: { readonly title: string; readonly text: string }) {
  if (text.trim() === "") {
    return null;
  }
  return (
    <Panel title={title}>
      <Markdown text={text} />
    </Panel>
  );
}

function Steps({ steps }: { readonly steps: readonly Schemas["VerificationStep"][] }) {
  if (steps.length === 0) {
    return <p className="dim">No steps: planners choose the repository's commands.</p>;
  }
  return (
    <Sideways label="Verification steps">
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Step</th>
            <th>Does</th>
            <th>Required</th>
            <th className={classes.figure}>Timeout</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={step.id || `${index}`}>
              <td>{step.label || step.id || step.type}</td>
              <td>
                <code>{step.command ?? step.url ?? step.path ?? step.prompt ?? step.type}</code>
              </td>
              <td>{step.required === false ? "no" : "yes"}</td>
              <td className={classes.figure}>{step.timeout ? `${step.timeout} s` : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  );
}

/** What a template asks for besides one person's approval; it counts where people have roles. */
function approversOf(asked: Schemas["PlanTemplate"]["approvals"]): string {
  const plan = asked?.plan_by_another ? ["plans: somebody else than their authors"] : [];
  const count = asked?.gate_approvals ?? 1;
  return [...plan, ...(count > 1 ? [`gates: ${count} people`] : [])].join(", ");
}
