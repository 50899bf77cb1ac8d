/** One learning: its text, where it is from, how it is used, and what a person can do about it. */

import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import own from "@/screens/learnings/learnings.module.css";
import { fateOf, isOffered, keepingVerb, type Learning, useOf } from "@/screens/learnings/standing";
import { AgentPicker, asBody, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { Confirm } from "@/ui/Confirm";
import { Failure } from "@/ui/Failure";
import { ForRole, ProjectContext } from "@/ui/ForRole";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly learning: Learning;
  readonly onChanged: () => void;
}

/** Show a learning; its text is what an agent wrote, and nothing in it is a link or markup. */
export function Entry({ learning, onChanged }: Props) {
  return (
    <li className={own.entry}>
      <div className={own.says}>
        <p className={own.text}>
          <Safe text={learning.text} />
        </p>
        <div className={own.facts}>
          <Origin learning={learning} />
          <span>{useOf(learning)}</span>
          <span>{fateOf(learning)}</span>
          <code>{learning.learning_id}</code>
        </div>
      </div>
      <ProjectContext value={learning.repository}>
        <ForRole needs="author">
          <Actions learning={learning} onChanged={onChanged} />
        </ForRole>
      </ProjectContext>
    </li>
  );
}

function Origin({ learning }: { readonly learning: Learning }) {
  const origin = learning.origins.at(-1);
  if (origin === undefined) {
    return null;
  }
  const { thread_id: thread, task_id: task = "", evidence } = origin;
  const verified = evidence?.verified ?? [];
  const name = task === "" ? thread : `${thread}, task ${task}`;
  return (
    <>
      <span>
        from{" "}
        {(learning.gone ?? []).includes(thread) ? (
          `${name} (thread removed)`
        ) : (
          <Link href={`/threads/${thread}`}>{name}</Link>
        )}
      </span>
      <span>
        {evidence?.commit ? `commit ${evidence.commit.slice(0, 10)}, ` : ""}
        {verified.length === 0 ? "no steps" : `passed ${verified.join(", ")}`}
      </span>
    </>
  );
}

function Actions({ learning, onChanged }: Props) {
  const { learning_id: id, repository, standing } = learning;
  const path = { learning: id };
  const [thread, setThread] = useState("");
  const [isPromoting, setPromoting] = useState(false);
  const [choice, setChoice] = useState(DEFAULT_AGENT);
  const command = useCommand(async (_id: string, run: (id: string) => Promise<unknown>) => {
    const answer = await run(_id);
    onChanged();
    return answer;
  });
  const keep = (isKept: boolean) =>
    void command.send((command_id) =>
      post("/v1/learnings/{learning}/keep", path, { command_id, repository, is_kept: isKept }),
    );
  const remove = () =>
    void command.send((command_id) =>
      post("/v1/learnings/{learning}/remove", path, { command_id, repository }),
    );
  const promote = () =>
    void command.send(async (command_id) => {
      const { agent, model } = asBody(choice);
      const by = { agent: agent ?? null, model: model ?? null };
      const body = { command_id, repository, learning_ids: [id], ...by };
      const started = await post("/v1/learnings/promotions", {}, body);
      setThread(started.thread_id);
    });
  const isKept = standing === "pinned";
  const promotion = thread || (standing === "promoting" ? (learning.promotion ?? "") : "");
  return (
    <div className={own.actions}>
      <Button
        variant="subtle"
        aria-pressed={isKept}
        loading={command.state === "sending"}
        onClick={() => keep(!isKept)}
      >
        {keepingVerb(learning)}
      </Button>
      {standing !== "removed" && standing !== "promoted" && (
        <Confirm
          label="Remove"
          question="Stop offering it to agents?"
          verb="Remove"
          color="gray"
          onConfirm={remove}
        />
      )}
      {isOffered(learning) && promotion === "" && (
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isPromoting}
          onClick={() => setPromoting(!isPromoting)}
        >
          Promote
        </Button>
      )}
      {promotion !== "" && <Link href={`/threads/${promotion}`}>Proposal for AGENTS.md</Link>}
      {isPromoting && promotion === "" && (
        <div className={own.promotion}>
          <AgentPicker value={choice} onChange={setChoice} repository={repository} />
          <Button loading={command.state === "sending"} onClick={promote}>
            Propose for AGENTS.md
          </Button>
          <span className="dim">Opens a thread; you approve the change at its gate.</span>
        </div>
      )}
      <Failure problem={command.problem} />
    </div>
  );
}
