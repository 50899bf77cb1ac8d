/** One workflow template: its goals in the order in which they can begin, and how to start them. */

import { TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { problemOf, useWorkflowTemplates } from "@/api/resources";
import { layersOf, waitsFor } from "@/screens/templates/layers";
import own from "@/screens/templates/templates.module.css";
import { AgentPicker, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { Form } from "@/ui/Form";
import { Markdown } from "@/ui/Markdown";
import { Panel } from "@/ui/Panel";
import classes from "@/ui/page.module.css";
import { RepositoryPicker } from "@/ui/RepositoryPicker";

interface Props {
  readonly name: string;
  readonly repository: string;
}

/** Show a workflow template by its name. */
export function Workflow({ name, repository }: Props) {
  const query = useWorkflowTemplates(repository);
  const found = query.data?.workflow_templates.find((each) => each.name === name);
  if (query.error || (query.data && !found)) {
    return (
      <>
        <Failure problem={problemOf(query.error)} />
        <p>Workflow template {name} not found.</p>
      </>
    );
  }
  if (!found) {
    return <p className="dim">Loading the template…</p>;
  }
  return (
    <div className={classes.column}>
      <header>
        <h2>{found.name}</h2>
        <p>{found.template?.description}</p>
        <div className="dim mono ellipsis" title={found.path}>
          {found.path}
        </div>
      </header>
      {(found.problems ?? []).map(({ line, column, message }) => (
        <p key={message} role="alert">
          line {line}, column {column}: {message}
        </p>
      ))}
      {found.template && (
        <>
          <Goals goals={found.template.goals} />
          <StartForm name={found.name} template={found.template} repository={repository} />
        </>
      )}
    </div>
  );
}

function Goals({ goals }: { readonly goals: readonly Schemas["TemplateGoal"][] }) {
  return (
    <Panel title={`Goals (${goals.length})`}>
      <ol className={own.layers}>
        {layersOf(goals).map((layer) => (
          <li key={layer[0]?.id} className={own.layer}>
            {layer.map((goal) => (
              <Goal key={goal.id} goal={goal} />
            ))}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Goal({ goal }: { readonly goal: Schemas["TemplateGoal"] }) {
  const before = waitsFor(goal);
  return (
    <article className={own.goal}>
      <div className={classes.line}>
        <strong>{goal.id}</strong>
        <span className="dim">priority {goal.priority ?? 3}</span>
      </div>
      {before.length > 0 && (
        <div className="dim">
          after {before.join(", ")}
          {goal.base && ` · based on the branch of ${goal.base}`}
        </div>
      )}
      <div className={own.words}>
        {goal.goal ? <Markdown text={goal.goal} /> : `flow ${goal.flow}`}
      </div>
      {(goal.agent || goal.template) && (
        <div className="dim mono">{[goal.agent, goal.template].filter(Boolean).join(" · ")}</div>
      )}
    </article>
  );
}

interface StartProps extends Props {
  readonly template: Schemas["WorkflowTemplate"];
}

function StartForm({ name, template, repository }: StartProps) {
  const names = Object.entries(template.parameters ?? {});
  const [where, setWhere] = useState(repository);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [agent, setAgent] = useState(DEFAULT_AGENT);
  const [started, setStarted] = useState<readonly Schemas["StartedGoal"][]>([]);
  const command = useCommand((command_id: string) =>
    post(
      "/v1/workflow-templates/{name}/start",
      { name },
      {
        command_id,
        repository: where.trim(),
        parameters: Object.fromEntries(
          Object.entries(values).filter(([, value]) => value.trim() !== ""),
        ),
        agent: agent.agent || null,
        model: agent.model.trim() || null,
        host: "",
        labels: [],
      },
    ),
  );
  const submit = async () => {
    const answer = await command.send();
    setStarted(answer?.entries ?? []);
  };
  return (
    <Panel title="Start">
      <Form className={classes.form} onSubmit={() => void submit()}>
        <div className={classes.fields}>
          <RepositoryPicker value={where} onChange={setWhere} isRequired />
          {names.map(([parameter, about]) => (
            <TextInput
              key={parameter}
              label={parameter}
              description={about.description}
              placeholder={about.default ?? ""}
              required={about.default === null || about.default === undefined}
              value={values[parameter] ?? ""}
              onChange={(event) => setValues({ ...values, [parameter]: event.currentTarget.value })}
            />
          ))}
        </div>
        <AgentPicker repository={where} value={agent} onChange={setAgent} />
        <div className={classes.line}>
          <CommandButton type="submit" command={command}>
            Add all to queue
          </CommandButton>
          {started.length > 0 && (
            <span role="status">
              {started.length} goals added to the queue. <Link href="/queue">View queue</Link>
            </span>
          )}
        </div>
        <Failure problem={command.problem} note="Your text is saved; nothing was queued." />
      </Form>
    </Panel>
  );
}
