/** A conflict of a task's, a chat's or the base's merge: both sides, and the ways out in words. */

import { Button, Group } from "@mantine/core";
import { Link } from "wouter";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { plural } from "@/format";
import { calledOf } from "@/plans/work";
import { ConflictingLines } from "@/tasks/review/ConflictingLines";
import {
  type Choice,
  kindOf,
  type ShownConflict,
  sideOf,
  subjectOf,
  waysOf,
  wordsOf,
} from "@/tasks/review/conflict_ways";
import classes from "@/tasks/review/review.module.css";
import { useAccidentGuard } from "@/ui/accident_guard";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { OpenFileIcon, OpenInButton, Worktree } from "@/ui/OpenIn";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly threadId: string;
  readonly found: ShownConflict;
  /** What the task is called, where the reader does not see it already. */
  readonly title?: string;
}

const STAGES: Readonly<Record<ShownConflict["stage"], string>> = {
  asked: "waiting for your choice",
  preparing: "creating a worktree for the manual merge",
  by_hand: "waiting for your manual merge",
  checking: "checking your merge",
  resolving: "its agent is resolving it",
  resolved: "resolved by its agent: waiting for you to look at it",
};

/** Show a conflict and take the answer to it; whatever comes of an answer is answered anew. */
export default function ConflictCard(props: Props) {
  const { content_hash: shown, stage, tries, run, left, failure } = props.found;
  return <Asked key={[shown, stage, tries, run, ...left, failure].join(" ")} {...props} />;
}

function Asked({ threadId, found, title }: Props) {
  const { conflict, stage } = found;
  const called = subjectOf(conflict);
  const kind = kindOf(conflict);
  const name = title ?? calledOf(called);
  const answer = useCommand((id: string, shown: ShownConflict, how: Choice) => {
    const body = { command_id: id, how, content_hash: shown.content_hash };
    const thread = { thread: threadId };
    switch (kind) {
      case "base":
        return post("/v1/threads/{thread}/base/conflict", thread, body);
      case "chat": {
        const number = Number(called.split("-").at(-1));
        return post("/v1/threads/{thread}/sessions/{number}/conflict", { ...thread, number }, body);
      }
      case "task":
        return post(
          "/v1/threads/{thread}/tasks/{task}/conflict",
          { ...thread, task: called },
          body,
        );
    }
  });
  const isArmed = useAccidentGuard(`${found.content_hash} ${stage}`);
  const isBusy = answer.state === "sending" || answer.state === "recorded";
  return (
    <section className={classes.card} aria-label={`Conflict of ${name}`}>
      <div className={classes.cardHead}>
        <Status status="waiting" word="conflict" />
        <strong>
          <Safe text={name} />
        </strong>
        <span className="dim">{STAGES[stage]}</span>
      </div>
      <p className={classes.sides}>
        <b>A</b> is on{" "}
        <code title={conflict.tip}>{conflict.branch || "the branch of the thread"}</code>, merged
        before. <b>B</b> is <span title={conflict.commit}>{sideOf(conflict)}</span>.
      </p>
      {conflict.tip === "" ? (
        <Files files={conflict.files} />
      ) : (
        <ConflictingLines threadId={threadId} hash={found.content_hash} />
      )}
      {conflict.notes.length > 0 && (
        <details>
          <summary>Git output</summary>
          <pre className={classes.notes}>{conflict.notes.join("\n")}</pre>
        </details>
      )}
      {found.path !== "" && stage === "by_hand" && <ByHand threadId={threadId} found={found} />}
      {conflict.resolution && (
        <p>
          Its agent merged both sides.{" "}
          <Link href={`/threads/${threadId}?panel=changes&of=${called}`}>Look at its changes</Link>,
          then merge the result.
        </p>
      )}
      {found.left.length > 0 && (
        <p role="alert">Conflict markers remain in: {found.left.join(", ")}</p>
      )}
      {found.failure !== "" && <p role="alert">{found.failure}</p>}
      <ForRole needs="author" isTold>
        <ul className={classes.ways}>
          {waysOf(stage, kind).map((how) => (
            <li key={how}>
              <Button
                variant="default"
                disabled={isBusy}
                onClick={() => isArmed() && void answer.send(found, how)}
              >
                {wordsOf(found, how)[0]}
              </Button>
              <span className="dim">{wordsOf(found, how)[1]}</span>
            </li>
          ))}
        </ul>
      </ForRole>
      <Group role="status">{answer.state === "recorded" ? "Sent." : ""}</Group>
      <Failure problem={answer.problem} note="Nothing was changed." />
    </section>
  );
}

/** Where a person merges: the folder, and each file that conflicts in their editor. */
function ByHand({ threadId, found }: Pick<Props, "threadId" | "found">) {
  const called = subjectOf(found.conflict);
  const where = (
    <>
      Merge in <code>{found.path}</code>, then mark it as resolved.
    </>
  );
  if (kindOf(found.conflict) !== "task") {
    return <p>{where}</p>;
  }
  return (
    <Worktree thread={threadId} of={{ task: called }}>
      <p>
        {where}{" "}
        {found.conflict.files.map((file) => (
          <span key={file} className={classes.conflicting}>
            <code>
              <Safe text={file} />
            </code>
            <OpenFileIcon file={file} />
          </span>
        ))}
      </p>
      <OpenInButton />
    </Worktree>
  );
}

/** The names alone: of a conflict that was found before its commits were kept. */
function Files({ files }: { readonly files: readonly string[] }) {
  return (
    <p>
      Both changed {plural(files.length, "file")}:{" "}
      {files.map((file) => (
        <code key={file} className={classes.conflicting}>
          <Safe text={file} />
        </code>
      ))}
    </p>
  );
}
