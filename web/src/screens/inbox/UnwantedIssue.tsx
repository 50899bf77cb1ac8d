/** An issue that is not wanted any more while its work goes on: stop the work, or let it go on. */

import { Group } from "@mantine/core";
import { post } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh, useThread } from "@/api/queries";
import { commandThread } from "@/api/thread_commands";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";
import { IssueLink } from "@/ui/IssueLink";

interface Props {
  readonly thread: string;
  /** The workflow of its tracker. */
  readonly tracker: string;
}

/** Ask whether the work on an issue goes on. */
export function UnwantedIssue({ thread, tracker }: Props) {
  const refresh = useRefresh(["inbox"]);
  const issue = useThread(thread).data?.issue;
  const name = tracker.replace(/^tracker-/, "");
  const stop = useCommand((id: string) => commandThread(id, thread, "cancel"));
  const keep = useCommand((command_id: string) =>
    post("/v1/trackers/{name}/keep", { name }, { command_id, entry_id: thread }),
  );
  return (
    <div>
      <p>Stop the work on {issue ? <IssueLink issue={issue} /> : "the issue"}, or let it go on.</p>
      <Group gap="xs">
        <CommandButton
          needs="author"
          color="red"
          variant="default"
          command={stop}
          onClick={() => void stop.send().then(refresh)}
        >
          Stop the work
        </CommandButton>
        <CommandButton
          needs="author"
          variant="default"
          command={keep}
          onClick={() => void keep.send().then(refresh)}
        >
          Keep going
        </CommandButton>
      </Group>
      <Failure problem={stop.problem ?? keep.problem} />
    </div>
  );
}
