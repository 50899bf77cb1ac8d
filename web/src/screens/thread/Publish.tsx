/** Pushes a thread's branch to a remote, and asks there that it is merged. */

import { Button, Checkbox, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { publish } from "@/screens/thread/commands";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly thread: Schemas["ThreadView"];
  readonly close: () => void;
}

/** Ask where to, then publish. */
export function Publish({ thread, close }: Props) {
  const [remote, setRemote] = useState("");
  const [wantsPullRequest, setWants] = useState(true);
  const command = useCommand((id: string) =>
    publish(id, thread.thread_id, { remote: remote.trim(), wantsPullRequest }),
  );
  const { publication } = thread;
  return (
    <Modal opened onClose={close} title="Publish the branch">
      <p>
        <code>{thread.branch}</code> is pushed; your own checkout is not touched.
      </p>
      <TextInput
        label="Remote"
        placeholder="the repository's own"
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
      {publication.failure !== "" && (
        <p>
          Last time: <Safe text={publication.failure ?? ""} />
        </p>
      )}
      {publication.pull_request && (
        <p>
          Open is{" "}
          <a href={publication.pull_request.url} target="_blank" rel="noopener noreferrer nofollow">
            pull request {publication.pull_request.number}
          </a>
          .
        </p>
      )}
      <Failure problem={command.problem} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={close}>
          {command.state === "recorded" ? "Close" : "Not now"}
        </Button>
        <Button
          loading={command.state === "sending"}
          disabled={command.state === "recorded"}
          onClick={() => void command.send()}
        >
          {command.state === "recorded" ? "Recorded: watch the talk" : "Publish"}
        </Button>
      </Group>
    </Modal>
  );
}
