/** How a plan was changed: its versions, the amendments behind them, and a way to ask for one more. */

import { Textarea } from "@mantine/core";
import { useCommand } from "@/api/commands";
import { requestAmendment } from "@/api/thread_commands";
import classes from "@/execution/execution.module.css";
import { plural } from "@/format";
import { AmendmentCard } from "@/plans/AmendmentCard";
import type { ThreadView } from "@/plans/models";
import { takesAmendments } from "@/plans/unsaved_edits";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { UnsavedText } from "@/ui/UnsavedText";

interface Props {
  readonly thread: ThreadView;
  readonly isReadOnly: boolean;
}

/** Show versions and closed amendments; ask for a change in words. */
export function History({ thread, isReadOnly }: Props) {
  const closed = thread.amendments.filter(({ status }) => status !== "open");
  const canAsk = !isReadOnly && takesAmendments(thread);
  const [text, setText] = useDraft(`amend.${thread.thread_id}`);
  const unsent = !isReadOnly && !canAsk && text.trim() !== "" && (
    <UnsavedText
      label="Unsent plan change"
      why="Your request was not sent: the plan is no longer running, so it cannot be changed."
      text={text}
      onDiscard={() => setText("")}
    />
  );
  if (closed.length === 0 && !canAsk) {
    return unsent || null;
  }
  return (
    <>
      {unsent}
      <details className={classes.history}>
        <summary>
          Change the plan
          <span className="dim">
            {" "}
            · version {thread.version}
            {closed.length > 0 && ` · ${plural(closed.length, "earlier amendment")}`}
          </span>
        </summary>
        {canAsk && <AskChange threadId={thread.thread_id} text={text} onType={setText} />}
        {thread.versions.length > 0 && (
          <ol className={classes.steps} aria-label="Plan versions">
            {thread.versions.map(({ version, by, counts, amendment_id }) => (
              <li key={version} value={version}>
                {counts}{" "}
                <span className="dim">
                  by {by} ({amendment_id})
                </span>
              </li>
            ))}
          </ol>
        )}
        {closed.map((amendment) => (
          <AmendmentCard
            key={amendment.amendment_id}
            threadId={thread.thread_id}
            amendment={amendment}
            isReadOnly
          />
        ))}
      </details>
    </>
  );
}

interface AskProps {
  readonly threadId: string;
  readonly text: string;
  readonly onType: (text: string) => void;
}

function AskChange({ threadId, text, onType: setText }: AskProps) {
  const command = useCommand((id: string) => requestAmendment(id, threadId, text.trim(), {}));
  const ask = async () => {
    if ((await command.send()) !== null) {
      setText("");
    }
  };
  return (
    <div className={classes.ask}>
      <Textarea
        label="What should change?"
        placeholder="Also add rate limiting to the API."
        description="A planner reviews the progress and proposes an amendment. Running tasks continue."
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Failure problem={command.problem} note="Your text is saved." />
      <CommandButton command={command} disabled={text.trim() === ""} onClick={() => void ask()}>
        Request amendment
      </CommandButton>
      {command.state === "recorded" && (
        <span className="dim">Requested. The amendment will appear here and in the chat.</span>
      )}
    </div>
  );
}
