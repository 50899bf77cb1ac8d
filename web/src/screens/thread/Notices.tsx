/** What runs short or worries in a thread, and the advice on it with its button. */

import { ActionIcon, Button } from "@mantine/core";
import { TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { plain } from "@/screens/thread/commands";
import * as steer from "@/screens/thread/steering";
import classes from "@/screens/thread/thread.module.css";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

type Notice = Schemas["ShownNotice"];

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly isLive: boolean;
}

const SHOWN = 3;

/** Show warnings and advice; those that were read can be put away. */
export function Notices({ thread, isLive }: Props) {
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const { planning_failure: failure = "" } = thread;
  const warnings = [...(failure === "" ? [] : [`Planning failed: ${failure}`]), ...thread.warnings];
  const left = warnings.filter((warning) => !read.has(warning));
  const shown = isAll ? left : left.slice(0, SHOWN);
  if (left.length === 0 && thread.notices.length === 0) {
    return null;
  }
  return (
    <section className={classes.notices} aria-label="Warnings">
      {thread.notices.map((notice) => (
        <Advice
          key={`${notice.task_id} ${notice.reason}`}
          threadId={thread.thread_id}
          notice={notice}
          isLive={isLive}
        />
      ))}
      {shown.map((warning) => (
        <div key={warning} className={classes.notice}>
          <TriangleAlert size={14} aria-label="Warning" />
          <span className={classes.noticeText}>
            <Safe text={warning} />
          </span>
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label="Put this warning away"
            onClick={() => setRead(new Set([...read, warning]))}
          >
            <X size={13} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {left.length > shown.length && (
        <Button variant="subtle" onClick={() => setAll(true)}>
          {left.length - shown.length} more
        </Button>
      )}
    </section>
  );
}

interface AdviceProps {
  readonly threadId: string;
  readonly notice: Notice;
  readonly isLive: boolean;
}

const VERBS: Readonly<Record<Notice["advice"], string>> = {
  continue: "",
  pause: "Pause",
  amend: "Change the plan",
  abort: "Abort",
  retry: "Retry",
};

function Advice({ threadId, notice, isLive }: AdviceProps) {
  const { advice, task_id: task } = notice;
  const command = useCommand((id: string) => {
    switch (advice) {
      case "pause":
        return plain(id, threadId, "pause");
      case "abort":
        return steer.abort(id, threadId, task ?? "");
      case "retry":
        return steer.retry(id, threadId, task ?? "");
      case "amend":
        return steer.amend(id, threadId, notice.reason);
      case "continue":
        return plain(id, threadId, "resume");
    }
  });
  const verb = VERBS[advice];
  const target = (advice === "abort" || advice === "retry") && task ? ` ${task}` : "";
  return (
    <div className={classes.notice}>
      <TriangleAlert size={14} aria-label="Advice" />
      <span className={classes.noticeText}>
        <Safe text={notice.reason} />
        {task && (
          <>
            {" "}
            <Link href={`/threads/${threadId}/tasks/${task}`}>{task}</Link>
          </>
        )}
      </span>
      {isLive && verb !== "" && (
        <Button
          variant="default"
          loading={command.state === "sending"}
          disabled={command.state === "recorded"}
          title={notice.command}
          onClick={() => void command.send()}
        >
          {command.state === "recorded" ? "Recorded" : `${verb}${target}`}
        </Button>
      )}
      <Failure problem={command.problem} />
    </div>
  );
}
