/** A task that several agents do at once: one table, whose work to take, and the changes side by side. */

import { Button, Group } from "@mantine/core";
import { useContext, useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { subjectOf, useDecide } from "@/plans/commands";
import { FeedbackForm } from "@/plans/FeedbackForm";
import { addCandidate, takeCandidate } from "@/tasks/contest/commands";
import classes from "@/tasks/contest/contest.module.css";
import { agentOf, columnsOf } from "@/tasks/contest/rows";
import { SideBySide } from "@/tasks/contest/SideBySide";
import { type AgentChoice, AgentPicker, DEFAULT_AGENT } from "@/ui/AgentPicker";
import { Failure } from "@/ui/Failure";
import { ForRole, ProjectContext } from "@/ui/ForRole";
import { Markdown } from "@/ui/Markdown";
import { Safe } from "@/ui/Safe";

type View = Schemas["ContestView"];
type Candidate = Schemas["CandidateView"];

interface Props {
  readonly threadId: string;
  readonly contest: View;
  readonly isLive?: boolean;
}

/** Show the candidates; a choice binds to what is on the screen, which stays until it is updated. */
export default function Contest({ threadId, contest, isLive = true }: Props) {
  const [held, hold] = useState(contest);
  const isOpen = Boolean(contest.request);
  if (!held.request && isOpen) {
    hold(contest);
  }
  const isSame = held.request?.content_hash === contest.request?.content_hash;
  const shown = isOpen && held.request ? held : contest;
  const columns = columnsOf(shown.candidates);
  return (
    <section className={classes.contest} aria-label={`Candidates of ${contest.title}`}>
      {isOpen && !isSame && (
        <p className={classes.changed} role="status">
          The candidates have changed since you opened this.{" "}
          <Button variant="default" onClick={() => hold(contest)}>
            Show newest
          </Button>
        </p>
      )}
      <div className={classes.scroller}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th>
                <span className="visually-hidden">Letter</span>
              </th>
              <th>Agent</th>
              <th>Status</th>
              {columns.map(([head]) => (
                <th key={head}>{head}</th>
              ))}
              <th>Risk</th>
              <th>
                <span className="visually-hidden">Take</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.candidates.map((candidate) => (
              <Row
                key={candidate.candidate}
                threadId={threadId}
                contest={shown}
                columns={columns}
                candidate={candidate}
                canTake={isLive && isOpen && isSame}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div className={classes.verbs}>
        {isLive && shown.request && (
          <ForRole needs="approver">
            <SendBack key={shown.request.request_id} threadId={threadId} request={shown.request} />
          </ForRole>
        )}
        {isLive && !contest.is_over && !contest.taken && (
          <ForRole needs="author">
            <AddCandidate threadId={threadId} taskId={contest.task_id} />
          </ForRole>
        )}
      </div>
      {shown.opinion && <Opinion opinion={shown.opinion} />}
      <SideBySide
        key={shown.request?.content_hash ?? ""}
        threadId={threadId}
        contest={shown}
        canTake={isLive && isOpen && isSame}
      />
    </section>
  );
}

interface RowProps {
  readonly threadId: string;
  readonly contest: View;
  readonly columns: ReturnType<typeof columnsOf>;
  readonly candidate: Candidate;
  readonly canTake: boolean;
}

function Row({ threadId, contest, columns, candidate, canTake }: RowProps) {
  return (
    <tr data-standing={candidate.standing}>
      <th scope="row">
        <Link href={`/threads/${threadId}/tasks/${candidate.candidate}`}>{candidate.letter}</Link>
      </th>
      <td data-head="Agent">
        <Safe text={agentOf(candidate)} />
        {candidate.made_of && (
          <div className="dim">
            <Safe text={candidate.made_of} />
          </div>
        )}
      </td>
      <td data-head="Status" title={candidate.notes}>
        {candidate.standing}
        {candidate.is_first && <span className="dim"> · passed first</span>}
      </td>
      {columns.map(([head, words]) => (
        <td key={head} data-head={head}>
          <Safe text={words(candidate)} />
        </td>
      ))}
      <td data-head="Risk">
        {candidate.risks.map((risk) => (
          <p key={risk} className={classes.risk}>
            ⚠ <Safe text={risk} />
          </p>
        ))}
      </td>
      <td>
        {candidate.standing === "ready" && contest.request && (
          <ForRole needs="approver">
            <Take
              threadId={threadId}
              candidate={candidate}
              request={contest.request}
              canTake={canTake}
            />
          </ForRole>
        )}
      </td>
    </tr>
  );
}

interface TakeProps {
  readonly threadId: string;
  readonly candidate: Candidate;
  readonly request: Schemas["ApprovalRequest"];
  readonly canTake: boolean;
}

function Take({ threadId, candidate, request, canTake }: TakeProps) {
  const take = useCommand(takeCandidate);
  const refresh = useRefresh(["thread", threadId]);
  const send = async () => {
    if ((await take.send(threadId, candidate.candidate, request)) !== null) {
      refresh();
    }
  };
  return (
    <>
      <Button
        disabled={!canTake}
        loading={take.state === "sending"}
        aria-label={`Take candidate ${candidate.letter}`}
        onClick={() => void send()}
      >
        Take {candidate.letter}
      </Button>
      <Failure problem={take.problem} />
    </>
  );
}

function Opinion({ opinion }: { readonly opinion: Schemas["OpinionView"] }) {
  const numbers = opinion.letters.map((letter, index) => `work ${index + 1} is ${letter}`);
  return (
    <section aria-label="Opinion of the judge" className={classes.opinion}>
      <h2>
        Opinion of <Safe text={agentOf(opinion)} />{" "}
        <span className="dim">
          {numbers.join(", ")}
          {opinion.is_of_now ? "" : " · on an earlier version"} · advisory only
        </span>
      </h2>
      {opinion.text !== "" && <Markdown text={opinion.text} />}
      {opinion.text === "" && (
        <p className="dim">
          <Safe text={opinion.failure === "" ? "Not given yet." : opinion.failure} />
        </p>
      )}
    </section>
  );
}

interface AddCandidateProps {
  readonly threadId: string;
  readonly taskId: string;
}

/** Have one more agent do the task. */
function AddCandidate({ threadId, taskId }: AddCandidateProps) {
  const [choice, choose] = useState<AgentChoice | null>(null);
  const repository = useContext(ProjectContext);
  const command = useCommand(addCandidate);
  const refresh = useRefresh(["thread", threadId]);
  if (choice === null) {
    return (
      <Button variant="default" onClick={() => choose(DEFAULT_AGENT)}>
        Add a candidate…
      </Button>
    );
  }
  const send = async () => {
    if ((await command.send(threadId, taskId, choice.agent, choice.model.trim())) !== null) {
      choose(null);
      refresh();
    }
  };
  return (
    <Group align="end" className={classes.form}>
      <AgentPicker
        value={choice}
        onChange={choose}
        repository={repository}
        none="Choose an agent"
      />
      <Button
        disabled={choice.agent === ""}
        loading={command.state === "sending"}
        onClick={() => void send()}
      >
        Add
      </Button>
      <Button variant="subtle" onClick={() => choose(null)}>
        Cancel
      </Button>
      <Failure problem={command.problem} />
    </Group>
  );
}

interface SendBackProps {
  readonly threadId: string;
  readonly request: Schemas["ApprovalRequest"];
}

function SendBack({ threadId, request }: SendBackProps) {
  const [isWriting, write] = useState(false);
  const subject = subjectOf(threadId, request);
  const decide = useDecide(request, subject);
  if (!isWriting) {
    return (
      <Button variant="default" onClick={() => write(true)}>
        Send all back…
      </Button>
    );
  }
  return (
    <div className={classes.form}>
      <Failure problem={decide.problem} />
      <FeedbackForm
        subject={subject}
        label="What should all candidates change?"
        isSending={decide.state === "sending"}
        onSend={async (feedback) => (await decide.send({ choice: "reject", feedback })) !== null}
        onClose={() => write(false)}
      />
    </div>
  );
}
