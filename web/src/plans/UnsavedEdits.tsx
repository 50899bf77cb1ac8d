/** Changes to plans that were decided before they were saved: kept, to be asked for or copied. */

import { useCommand } from "@/api/commands";
import { requestAmendment } from "@/api/thread_commands";
import type { ProposedPlan, ThreadView } from "@/plans/models";
import {
  amendmentText,
  changeLines,
  closedWords,
  currentOf,
  editDraft,
  packetDraft,
  readEdit,
  takesAmendments,
} from "@/plans/unsaved_edits";
import { CommandButton } from "@/ui/CommandButton";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { UnsavedText } from "@/ui/UnsavedText";

/** Show what this browser keeps for each plan that takes no changes any more. */
export function UnsavedEdits({ thread }: { readonly thread: ThreadView }) {
  return thread.plans
    .map((plan) => ({ plan, why: closedWords(thread, plan) }))
    .filter(({ why }) => why !== "")
    .map(({ plan, why }) => (
      <div key={plan.revision}>
        <Changes thread={thread} proposed={plan} why={why} />
        <Packet thread={thread} proposed={plan} why={why} />
      </div>
    ));
}

interface Props {
  readonly thread: ThreadView;
  readonly proposed: ProposedPlan;
  readonly why: string;
}

function Changes({ thread, proposed, why }: Props) {
  const { thread_id: threadId } = thread;
  const { plan, revision } = proposed;
  const [draft, setDraft] = useDraft(editDraft(threadId, revision));
  const lines = changeLines(plan, readEdit(draft), currentOf(thread, proposed).plan);
  const command = useCommand((id: string) =>
    requestAmendment(id, threadId, amendmentText(revision, lines), {}),
  );
  const propose = async () => {
    if ((await command.send()) !== null) {
      setDraft("");
    }
  };
  if (lines.length === 0) {
    return command.state === "recorded" ? (
      <div role="status" className="dim">
        Your changes were proposed as an amendment. It appears in the chat for approval.
      </div>
    ) : null;
  }
  return (
    <>
      <UnsavedText
        label={`Unsaved changes to revision ${revision}`}
        why={`Your changes were not sent. ${why}`}
        text={lines.join("\n")}
        onDiscard={() => setDraft("")}
      >
        {takesAmendments(thread) && (
          <CommandButton command={command} onClick={() => void propose()}>
            Propose as an amendment
          </CommandButton>
        )}
      </UnsavedText>
      <Failure problem={command.problem} note="Your changes are saved." />
    </>
  );
}

function Packet({ thread, proposed, why }: Props) {
  const name = packetDraft(thread.thread_id, proposed.request.request_id);
  const [draft, setDraft] = useDraft(name);
  const isSame = draft === proposed.handoff || draft === currentOf(thread, proposed).handoff;
  return draft === "" || isSame ? null : (
    <UnsavedText
      label={`Unsaved handoff packet of revision ${proposed.revision}`}
      why={`Your handoff packet was not sent. ${why}`}
      text={draft}
      onDiscard={() => setDraft("")}
    />
  );
}
