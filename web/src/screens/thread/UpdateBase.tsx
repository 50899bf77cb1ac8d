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
  const isAlone = (thread.beside ?? []).length === 0;
  return (
    <>
      <span className="dim">
        {base.behind ? `${plural(base.behind, "commit")} behind ` : "Has all of "}
        <Safe text={base.base} />
      </span>
      {isAlone && (
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
      )}
      {whyOf(thread, base).map((why) => (
        <span key={why} className="dim">
          <Safe text={why} />
        </span>
      ))}
      <Failure problem={command.problem} />
    </>
  );
}

/** Why it is not in the branch, as far as anybody knows. */
function whyOf(
  { beside, branch }: Schemas["ThreadView"],
  { behind, conflicts, failure, note }: Schemas["BaseState"],
): readonly string[] {
  const isYours = behind > 0 && (beside ?? []).length > 0;
  const known = [
    conflicts.length > 0 ? `It conflicts with the branch in ${conflicts.join(", ")}` : failure,
    note,
    isYours ? `Merge it into ${branch} yourself: a thread on several repositories does not` : "",
  ];
  return known.filter((why) => why !== "");
}
