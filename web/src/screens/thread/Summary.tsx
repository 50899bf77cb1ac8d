/** What a plan came to: shown once it is over, with what a person does next. */

import { Button, CopyButton } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { formatDuration, plural } from "@/format";
import { calledOf } from "@/plans/work";
import { Publish } from "@/screens/thread/Publish";
import classes from "@/screens/thread/summary.module.css";
import { UpdateBase } from "@/screens/thread/UpdateBase";
import { worksOf } from "@/tasks/works";
import { changeAddress } from "@/ui/addresses";
import { ForRole } from "@/ui/ForRole";
import { LinkButton } from "@/ui/LinkButton";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

type ThreadView = Schemas["ThreadView"];

interface Props {
  readonly thread: ThreadView;
  readonly isLive: boolean;
}

/** Say how a plan ended, what is left, where its work is, and how to take it over. */
export function Summary({ thread, isLive }: Props) {
  const status = thread.plan_status;
  if (status !== "completed" && status !== "cancelled") {
    return null;
  }
  const { done, total } = thread.progress;
  return (
    <section className={classes.summary} data-status={status} aria-label="Summary">
      <div className={classes.line}>
        <h2>
          <Status status={status} />
        </h2>
        {total > 0 && (
          <strong>
            {done} of {plural(total, "task")}
          </strong>
        )}
        <span className="dim">{tookOf(thread)}</span>
      </div>
      {status === "cancelled" && thread.summary && (
        <p>
          <Safe text={thread.summary} />
        </p>
      )}
      <Outstanding thread={thread} />
      <Result thread={thread} />
      <p className="dim">
        The work is on branch <code>{thread.branch}</code>;{" "}
        {thread.landing?.stage === "merged" ? (
          <>
            merged into <code>{thread.landing.target}</code>.
          </>
        ) : (
          "your checkout is unchanged."
        )}
      </p>
      <NextSteps thread={thread} isLive={isLive} />
      {isLive && !thread.parent && (
        <div className={classes.line}>
          <UpdateBase thread={thread} />
        </div>
      )}
    </section>
  );
}

/** What did not complete, each with why. */
function Outstanding({ thread }: { readonly thread: ThreadView }) {
  const left = worksOf(thread).filter(({ status }) => status !== "completed");
  if (left.length === 0) {
    return null;
  }
  return (
    <div>
      <h3>Outstanding</h3>
      <ul>
        {left.map(({ task_id, title, status, notes }) => (
          <li key={task_id}>
            <Link href={`/threads/${thread.thread_id}/tasks/${task_id}`}>
              <Safe text={title} />
            </Link>{" "}
            <Status status={status} /> <Safe text={notes} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What came of it: the files that were changed, and what was learned. */
function Result({ thread }: { readonly thread: ThreadView }) {
  const files = [
    ...new Set(worksOf(thread).flatMap(({ snapshot }) => snapshot?.files ?? [])),
  ].sort();
  const { learnings } = thread;
  return (
    <div className={classes.made}>
      {files.length > 0 && (
        <details>
          <summary>{plural(files.length, "file")} changed</summary>
          <ul className="mono">
            {files.map((file) => (
              <li key={file}>
                <Link href={changeAddress(thread.thread_id, "", file)}>
                  <Safe text={file} />
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
      {learnings.length > 0 && (
        <details>
          <summary>{plural(learnings.length, "learning")}</summary>
          <ul>
            {learnings.map(({ task_id, text }) => (
              <li key={`${task_id} ${text}`}>
                <Safe text={text} />{" "}
                <span className="dim">
                  from {task_id ? calledOf(task_id) : "the thread's agent"}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function NextSteps({ thread, isLive }: Props) {
  const [isPublishing, setPublishing] = useState(false);
  const merge = `git merge ${thread.branch}`;
  const { pull_request: request } = thread.publication;
  return (
    <div className={classes.line}>
      <Button
        variant="default"
        component="a"
        href={`/v1/threads/${thread.thread_id}/export?format=md`}
        download
      >
        Export
      </Button>
      <CopyButton value={merge}>
        {({ copied, copy }) => (
          <Button variant="default" title={merge} onClick={copy}>
            {copied ? "Copied" : "Copy git merge …"}
          </Button>
        )}
      </CopyButton>
      {isLive && !thread.parent && thread.landing?.stage !== "merged" && (
        <LinkButton to={changeAddress(thread.thread_id, "")}>Review and merge…</LinkButton>
      )}
      {isLive && !request && (
        <ForRole needs="approver">
          <Button variant="default" onClick={() => setPublishing(true)}>
            Publish…
          </Button>
        </ForRole>
      )}
      {request && (
        <a href={request.url} target="_blank" rel="noopener noreferrer nofollow">
          Pull request {request.number}
        </a>
      )}
      {isPublishing && <Publish thread={thread} close={() => setPublishing(false)} />}
    </div>
  );
}

/** Say how long all of it took. */
function tookOf(thread: ThreadView): string {
  const { opened_at: first, changed_at: changed } = thread;
  const last = worksOf(thread)
    .map(({ ended_at }) => ended_at ?? "")
    .reduce((a, b) => (a > b ? a : b), "");
  const end = last || changed;
  return first && end ? `${formatDuration(Date.parse(end) - Date.parse(first))} in total` : "";
}
