/** What a person answered, or was about to, when another came before them: why not, and their words. */

import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useInbox } from "@/api/queries";
import { keyOf } from "@/api/request_keys";
import { sendMessage } from "@/api/thread_commands";
import { discard, draftTextOf, type Unsent, useUnsent } from "@/api/unsent";
import { requestsOf } from "@/shell/requests";
import classes from "@/shell/shell.module.css";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

/** Show each answer that was refused, and of each that is written while nobody asks for it now. */
export default function UnsentAnswers() {
  const unsent = useUnsent();
  const items = useInbox().data?.items;
  const asked = items && requestsOf(items);
  const late = unsent.filter(({ threadId, requestId, why }) => {
    return why !== null || (asked !== undefined && !asked.has(keyOf(threadId, requestId)));
  });
  return (
    <>
      {late.map((each) =>
        each.threadId === "" ? (
          <Notice key={keyOf(each.threadId, each.requestId)} unsent={each} outcome="" />
        ) : (
          <OfThread key={keyOf(each.threadId, each.requestId)} unsent={each} />
        ),
      )}
    </>
  );
}

/** Return how the plans and amendments of a thread were decided. */
async function outcomesOf(thread: string) {
  const params = { path: { thread } };
  const [plans, amendments] = await Promise.all([
    get("/v1/threads/{thread}/plans", params),
    get("/v1/threads/{thread}/amendments", params),
  ]);
  return [...plans, ...amendments].map(({ outcome }) => outcome);
}

interface Props {
  readonly unsent: Unsent;
}

/** Say who was first, where the thread tells it. */
function OfThread({ unsent }: Props) {
  const { data: outcomes = [] } = useQuery({
    queryKey: ["thread", unsent.threadId, "outcomes"],
    queryFn: () => outcomesOf(unsent.threadId),
  });
  const outcome = outcomes.find((each) => each?.request_id === unsent.requestId);
  const word = outcome?.choice === "approve" ? "approved" : "rejected";
  return <Notice unsent={unsent} outcome={outcome ? `Already ${word} by ${outcome.by}.` : ""} />;
}

function Notice({ unsent, outcome }: Props & { readonly outcome: string }) {
  const words = draftTextOf(unsent);
  const message = useCommand((id: string) =>
    sendMessage(id, { thread: unsent.threadId, task: unsent.taskId }, words),
  );
  const isBusy = message.state === "sending";
  const give = async () => {
    if ((await message.send()) !== null) {
      discard(unsent);
    }
  };
  return (
    <section className={classes.overtaken} role="alert" aria-label="Your answer was not accepted">
      <div>
        <b>
          {unsent.why === null
            ? "This was decided while you were writing. Your answer was not sent."
            : "Your answer was not accepted."}
        </b>{" "}
        {unsent.title !== "" && (
          <>
            “<Safe text={unsent.title} />
            ”.{" "}
          </>
        )}
        {outcome !== "" ? outcome : (unsent.why ?? "It is no longer needed.")}
      </div>
      {words !== "" && (
        <blockquote>
          <Safe text={words} />
        </blockquote>
      )}
      <Group gap="xs">
        {words !== "" && unsent.threadId !== "" && (
          <Button loading={isBusy} onClick={() => void give()}>
            Send as a message
          </Button>
        )}
        {words !== "" && (
          <Button variant="default" onClick={() => void navigator.clipboard.writeText(words)}>
            Copy
          </Button>
        )}
        <Button variant="default" onClick={() => discard(unsent)}>
          {words === "" ? "Close" : "Discard"}
        </Button>
      </Group>
      <Failure problem={message.problem} note="Your text is saved." />
    </section>
  );
}
