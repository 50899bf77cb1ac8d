/** How far a thread's branch is behind its base, and the button that takes in what is new. */

import { Button } from "@mantine/core";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { plural } from "@/format";
import { Failure } from "@/ui/Failure";
import { ForRole } from "@/ui/ForRole";
import { Safe } from "@/ui/Safe";

/** Say what is known of the base; nothing where nobody looked. */
export function UpdateBase({ thread }: { readonly thread: Schemas["ThreadView"] }) {
  const command = useCommand((command_id: string) =>
    post(
      "/v1/threads/{thread}/base",
      { thread: thread.thread_id },
      { command_id, method: "policy" },
    ),
  );
  const { base } = thread;
  if (!base?.base) {
    return null;
  }
  const why = base.failure || base.note;
  return (
    <>
      <span className="dim">
        {base.behind ? `${plural(base.behind, "commit")} behind ` : "Has all of "}
        <Safe text={base.base} />
      </span>
      <ForRole needs="author">
        <Button
          variant="default"
          loading={command.state === "sending" || base.asked !== 0}
          title="Fetches the base, and takes in what is new once it is verified"
          onClick={() => void command.send()}
        >
          Update from base
        </Button>
      </ForRole>
      {why && (
        <span className="dim">
          <Safe text={why} />
        </span>
      )}
      <Failure problem={command.problem} />
    </>
  );
}
