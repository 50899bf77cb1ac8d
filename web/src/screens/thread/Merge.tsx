/** Merges the thread's branch, as the diff beside it shows it, into the branch that the thread began on. */

import { Button, Modal } from "@mantine/core";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { listed } from "@/plans/consequences";
import { calledOf } from "@/plans/work";
import { DialogActions } from "@/ui/DialogActions";
import { ForRole } from "@/ui/ForRole";
import { Safe } from "@/ui/Safe";

type ThreadView = Schemas["ThreadView"];
type BranchChanges = Schemas["BranchChanges"];

interface Props {
  readonly thread: ThreadView;
  /** What the screen shows; null while it shows nothing, or no longer what is there. */
  readonly shown: BranchChanges | null;
}

const AT_REST = ["completed", "cancelled", "chat"];

/** Say whether the branch is merged, and offer it where it is not. */
export function Merge({ thread, shown }: Props) {
  const [asked, setAsked] = useState<BranchChanges | null>(null);
  const { landing } = thread;
  const isAtRest = !thread.parent && AT_REST.includes(thread.status);
  const offered = isAtRest && shown?.target_commit && !shown.is_merged ? shown : null;
  return (
    <>
      {shown?.is_merged && shown.diff_ref !== "" && (
        <p className="dim">
          All changes are in <code>{shown.target}</code>.
        </p>
      )}
      {landing?.failure && (
        <p>
          Not merged: <Safe text={landing.failure} />
        </p>
      )}
      {offered && (
        <ForRole needs="approver">
          <Button
            size="xs"
            variant="default"
            loading={landing?.stage === "merging"}
            onClick={() => setAsked(offered)}
          >
            Merge into {offered.target}…
          </Button>
        </ForRole>
      )}
      {asked && <Dialog thread={thread} shown={asked} close={() => setAsked(null)} />}
    </>
  );
}

interface DialogProps {
  readonly thread: ThreadView;
  readonly shown: BranchChanges;
  readonly close: () => void;
}

function Dialog({ thread, shown, close }: DialogProps) {
  const { commit = "", target_commit = "", beside: others = [] } = shown;
  const beside = Object.fromEntries(
    others.map(({ name, target_commit: at = "" }) => [name, at] as const),
  );
  const left = thread.running.outstanding.map(
    ({ task_id, status }) => `${calledOf(task_id)} ${status}`,
  );
  const command = useCommand((command_id: string) =>
    post(
      "/v1/threads/{thread}/merge",
      { thread: thread.thread_id },
      { command_id, commit, target_commit, beside },
    ),
  );
  return (
    <Modal opened onClose={close} title={`Merge into ${shown.target}`}>
      <p>
        <code>{shown.branch}</code> at <code>{shown.commit?.slice(0, 12)}</code> will be merged into{" "}
        <code>{shown.target}</code> at <code>{shown.target_commit?.slice(0, 12)}</code>.
      </p>
      {others.map(({ name, commit: at, target, target_commit: onto }) => (
        <p key={name}>
          In <Safe text={name} />, <code>{at.slice(0, 12)}</code> into <code>{target}</code> at{" "}
          <code>{onto?.slice(0, 12)}</code>: in all repositories, or in none.
        </p>
      ))}
      {left.length > 0 && (
        <p>
          The plan is unfinished; not all of its work is in the branch: <Safe text={listed(left)} />
          .
        </p>
      )}
      <p className="dim">
        Where {shown.target} is checked out, its files are updated. Your changes are never
        overwritten: if a local change is in the way or the branches conflict, nothing is merged.
      </p>
      <DialogActions
        needs="approver"
        command={command}
        verb="Merge"
        done="Started: see the conversation"
        onSend={() => void command.send()}
        onClose={close}
      />
    </Modal>
  );
}
