/** What a person does about a watched pull request: look now, watch or not, and merge what is shown. */

import { Button, Checkbox, Group, Modal, NativeSelect } from "@mantine/core";
import { useState } from "react";
import { useCommand } from "@/api/commands";
import { plural } from "@/format";
import { cancelMerge, lookNow, merge, setWatched } from "@/screens/inbox/pull_requests";
import { METHODS, obstacleOf, type WatchedPullRequest } from "@/screens/thread/pull_request";
import { CommandButton } from "@/ui/CommandButton";
import { DialogActions } from "@/ui/DialogActions";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";

interface Props {
  readonly threadId: string;
  readonly found: WatchedPullRequest;
}

/** Offer what can be done now; a merge is asked for the commit that its dialog opened with. */
export function PullRequestActions({ threadId, found }: Props) {
  const [asked, setAsked] = useState<WatchedPullRequest | null>(null);
  const look = useCommand((id: string) => lookNow(id, threadId));
  const watch = useCommand((id: string) => setWatched(id, threadId, !found.is_watched));
  const cancel = useCommand((id: string) => cancelMerge(id, threadId));
  const isOver = /^(merged|closed)$/.test(found.status);
  const obstacle = obstacleOf(found);
  const waits = found.will_merge_itself || found.merging.is_waiting;
  return (
    <>
      <Group gap="xs" my="xs">
        {!isOver && (
          <ForRole needs="approver">
            <Button
              loading={found.merging.is_asking}
              disabled={obstacle !== ""}
              {...(obstacle === "" ? {} : { title: obstacle })}
              onClick={() => setAsked(found)}
            >
              Merge {found.head_commit.slice(0, 12)}…
            </Button>
          </ForRole>
        )}
        {!isOver && waits && (
          <CommandButton variant="default" command={cancel} onClick={() => void cancel.send()}>
            Do not merge by itself
          </CommandButton>
        )}
        {found.is_watched && (
          <CommandButton variant="default" command={look} onClick={() => void look.send()}>
            Look now
          </CommandButton>
        )}
        {!isOver && (
          <CommandButton variant="default" command={watch} onClick={() => void watch.send()}>
            {found.is_watched ? "Stop watching" : "Watch"}
          </CommandButton>
        )}
      </Group>
      <Failure problem={look.problem ?? watch.problem ?? cancel.problem} />
      {asked && (
        <MergeDialog
          threadId={threadId}
          asked={asked}
          head={found.head_commit}
          close={() => setAsked(null)}
        />
      )}
    </>
  );
}

interface DialogProps {
  readonly threadId: string;
  /** As it was shown when the person began to decide. */
  readonly asked: WatchedPullRequest;
  /** Where its head is now. */
  readonly head: string;
  readonly close: () => void;
}

function MergeDialog({ threadId, asked, head, close }: DialogProps) {
  const [method, setMethod] = useState(asked.policy.merge_method);
  const [waits, setWaits] = useState(false);
  const command = useCommand((id: string) =>
    merge(id, threadId, {
      commit: asked.head_commit,
      method,
      timing: waits ? "when_ready" : "now",
    }),
  );
  return (
    <Modal opened onClose={close} title={`Merge pull request ${asked.number}`}>
      <p>
        <code>{asked.head}</code> at <code>{asked.head_commit.slice(0, 12)}</code> will be merged
        into <code>{asked.base}</code> by the forge. Another commit is refused.
      </p>
      {head !== asked.head_commit && (
        <p role="alert">
          Its head is <code>{head.slice(0, 12)}</code> now: close this, and look at it again.
        </p>
      )}
      {asked.items.length > 0 && (
        <p>
          {plural(asked.items.length, "open item")} still{" "}
          {asked.items.length === 1 ? "needs" : "need"} you.
        </p>
      )}
      <NativeSelect
        label="How"
        data={[...METHODS]}
        value={method}
        onChange={({ currentTarget }) => {
          const chosen = METHODS.find(({ value }) => value === currentTarget.value);
          setMethod(chosen?.value ?? method);
        }}
      />
      <Checkbox
        size="xs"
        my="sm"
        label="Once the forge's own conditions hold"
        checked={waits}
        onChange={(event) => setWaits(event.currentTarget.checked)}
      />
      <DialogActions
        needs="approver"
        command={command}
        verb="Merge"
        done="The forge is being asked"
        disabled={head !== asked.head_commit}
        onSend={() => void command.send()}
        onClose={close}
      />
    </Modal>
  );
}
