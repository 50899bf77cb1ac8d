/** What runs short or worries in a thread, and the advice on it with its button. */

import { ActionIcon, Button } from "@mantine/core";
import { CircleX, TriangleAlert, X } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { commandTask, commandThread, requestAmendment, retryTask } from "@/api/thread_commands";
import { unansweredWarnings } from "@/plans/warnings";
import { calledOf } from "@/plans/work";
import classes from "@/screens/thread/thread.module.css";
import { CommandButton } from "@/ui/CommandButton";
import { Confirm } from "@/ui/Confirm";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { planningFailureOf } from "@/ui/planning_failure";
import { Safe } from "@/ui/Safe";

type Notice = Schemas["ShownNotice"];

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly isLive: boolean;
}

/** Show advice with its button, and warnings in one line that unfolds. */
export function Notices({ thread, isLive }: Props) {
  const { planning_failure: failure = "" } = thread;
  const warnings = unansweredWarnings(thread);
  if (failure === "" && thread.notices.length === 0 && warnings.length === 0) {
    return null;
  }
  return (
    <section className={classes.notices} aria-label="Warnings">
      {failure !== "" && (
        <div className={classes.notice} data-tone="fail">
          <CircleX size={14} aria-label="Failure" />
          <span className={classes.noticeText}>
            Planning failed: <Safe text={planningFailureOf(failure).short} />
          </span>
        </div>
      )}
      {thread.notices.map((notice) => (
        <Advice
          key={`${notice.task_id} ${notice.reason}`}
          threadId={thread.thread_id}
          notice={notice}
          isLive={isLive}
        />
      ))}
      <Warnings key={thread.thread_id} name={thread.thread_id} warnings={warnings} />
    </section>
  );
}

interface WarningsProps {
  readonly name: string;
  readonly warnings: readonly string[];
}

/** What does not fit into a line on a narrow screen. */
const LONG = 50;

/** The newest warning, all of them behind it; those that were read can be dismissed. */
function Warnings({ name, warnings }: WarningsProps) {
  const [saved, setSaved] = useDraft(`warnings-read.${name}`);
  const [isAll, setAll] = useState(false);
  const read = new Set(saved.split("\n"));
  const left = warnings.filter((warning) => !read.has(warning.replaceAll("\n", " ")));
  const newest = left.at(-1);
  if (newest === undefined) {
    return null;
  }
  const shown = isAll ? left.toReversed() : [newest];
  const dismiss = () =>
    setSaved(warnings.map((warning) => warning.replaceAll("\n", " ")).join("\n"));
  return (
    <div className={classes.notice}>
      <TriangleAlert size={14} aria-label="Warning" />
      <div className={classes.noticeText}>
        {shown.map((warning) => (
          <div key={warning} className={isAll ? undefined : classes.oneLine}>
            <Safe text={warning} />
          </div>
        ))}
      </div>
      {(left.length > 1 || newest.length > LONG) && (
        <Button
          variant="subtle"
          color="orange"
          aria-expanded={isAll}
          onClick={() => setAll(!isAll)}
        >
          {isAll ? "Show less" : left.length > 1 ? `${left.length - 1} more` : "Show all"}
        </Button>
      )}
      <ActionIcon
        size={24}
        variant="subtle"
        color="orange"
        aria-label="Dismiss warnings"
        onClick={dismiss}
      >
        <X size={13} aria-hidden />
      </ActionIcon>
    </div>
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
  amend: "Change plan",
  abort: "Abort",
  retry: "Retry",
};

function Advice({ threadId, notice, isLive }: AdviceProps) {
  const { advice, task_id: task } = notice;
  const command = useCommand((id: string) => {
    switch (advice) {
      case "pause":
        return commandThread(id, threadId, "pause");
      case "abort":
        return commandTask(id, threadId, task ?? "", "abort");
      case "retry":
        return retryTask(id, threadId, task ?? "");
      case "amend":
        return requestAmendment(id, threadId, notice.reason);
      case "continue":
        return commandThread(id, threadId, "resume");
    }
  });
  const verb = VERBS[advice];
  const target = (advice === "abort" || advice === "retry") && task ? ` ${task}` : "";
  return (
    <div className={classes.notice}>
      <TriangleAlert size={14} aria-label="Advice" />
      <span className={classes.noticeText}>
        {task && (
          <>
            <Link href={`/threads/${threadId}/tasks/${task}`}>{calledOf(task)}</Link>
            {": "}
          </>
        )}
        <Safe text={notice.reason} />
      </span>
      {isLive && advice === "abort" && (
        <Confirm
          label={`Abort${target}…`}
          question={`Abort${target}? Its work is saved at a checkpoint.`}
          verb="Abort"
          isSending={command.state === "sending"}
          onConfirm={() => void command.send()}
        />
      )}
      {isLive && verb !== "" && advice !== "abort" && (
        <CommandButton
          variant="default"
          command={command}
          done="Sent"
          title={notice.command}
          onClick={() => void command.send()}
        >
          {`${verb}${target}`}
        </CommandButton>
      )}
      <Failure problem={command.problem} />
    </div>
  );
}
