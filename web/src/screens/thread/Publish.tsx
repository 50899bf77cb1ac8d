/** Pushes a thread's branch to a remote, and asks there that it is merged. */

import { Checkbox, Modal, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { problemOf } from "@/api/resources";
import { useSteadyError } from "@/api/steady_error";
import { pathOf } from "@/diff/patch";
import { plural } from "@/format";
import { fetchChanges } from "@/screens/thread/changes";
import { Parts } from "@/screens/thread/Parts";
import { useStoredPatch } from "@/tasks/review/usePatch";
import { DialogActions } from "@/ui/DialogActions";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

type PublishAs = Schemas["PublishAs"];

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly close: () => void;
}

/** Show what is published, ask where to, then publish exactly that. */
export function Publish({ thread, close }: Props) {
  const [remote, setRemote] = useState("");
  const [wantsPullRequest, setWants] = useState(true);
  const [chosen, setChosen] = useState<PublishAs | null>(null);
  const usual = thread.publish_as ?? null;
  const parts = usual && (chosen ?? usual);
  const found = useQuery({
    queryKey: ["to-publish", thread.thread_id],
    queryFn: () => fetchChanges(thread.thread_id, ""),
    gcTime: 0,
  });
  const [shown, setShown] = useState(found.data);
  if (shown === undefined && found.data !== undefined) {
    setShown(found.data); // what is read later takes its place only where the person asks for it
  }
  const unread = useSteadyError(found);
  const command = useCommand((command_id: string, commit: string) =>
    post(
      "/v1/threads/{thread}/publish",
      { thread: thread.thread_id },
      {
        command_id,
        remote: remote.trim(),
        address: "",
        wants_pull_request: wantsPullRequest,
        commit,
        publish_as: parts,
      },
    ),
  );
  const { publication } = thread;
  return (
    <Modal opened onClose={close} title="Publish branch">
      <p>
        <code>{thread.branch}</code>
        {shown && (
          <>
            {" at "}
            <code>{shown.commit?.slice(0, 12)}</code>
          </>
        )}{" "}
        will be pushed. Your checkout does not change.
      </p>
      {shown && <Pushed reference={shown.diff_ref ?? ""} />}
      {shown === undefined && (
        <Failure problem={problemOf(unread)} onRetry={() => void found.refetch()} />
      )}
      <TextInput
        label="Remote"
        placeholder="repository default"
        value={remote}
        spellCheck={false}
        onChange={(event) => setRemote(event.currentTarget.value)}
      />
      <Checkbox
        size="xs"
        my="sm"
        label="Open a pull request"
        checked={wantsPullRequest}
        onChange={(event) => setWants(event.currentTarget.checked)}
      />
      {wantsPullRequest && parts && <Parts value={parts} onChange={setChosen} />}
      {publication.failure !== "" && (
        <p>
          Last attempt: <Safe text={publication.failure ?? ""} />
        </p>
      )}
      {publication.pull_request && (
        <p>
          Open{" "}
          <a href={publication.pull_request.url} target="_blank" rel="noopener noreferrer nofollow">
            pull request {publication.pull_request.number}
          </a>
          .
        </p>
      )}
      <DialogActions
        needs="approver"
        command={command}
        verb="Publish"
        done="Started: see the conversation"
        disabled={!shown?.commit}
        onSend={() => shown?.commit && void command.send(shown.commit)}
        onClose={close}
      />
    </Modal>
  );
}

const LISTED = 12;

/** The files that are pushed; their lines are on the Changes tab. */
function Pushed({ reference }: { readonly reference: string }) {
  const { files } = useStoredPatch(reference);
  if (files === null) {
    return <p className="dim">Loading changes…</p>;
  }
  const left = files.length - LISTED;
  return (
    <p className="dim">
      {plural(files.length, "file")} changed:{" "}
      <Safe text={files.slice(0, LISTED).map(pathOf).join(", ")} />
      {left > 0 && ` and ${left} more`}
    </p>
  );
}
