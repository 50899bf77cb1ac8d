/** What a step of a flow asks a person: an option, or words (features.md L2). */

import { Button, Group, Textarea } from "@mantine/core";
import { api, body, header, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import classes from "@/screens/inbox/inbox.module.css";
import { useArmed } from "@/ui/armed";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

/** Show the question and take its answer, bound to what is shown. */
export function FlowQuestion({ item }: { readonly item: Schemas["InboxItem"] }) {
  const asked = item.flow_request;
  const run = item.run_id ?? "";
  const [text, setText] = useDraft(`flow.${run}`);
  const isArmed = useArmed(asked?.content_hash ?? "");
  const answer = useCommand((commandId: string, option: string, words: string) =>
    body(
      api.POST("/v1/flow-runs/{run}/answer", {
        params: { header, path: { run } },
        body: {
          command_id: commandId,
          request_id: asked?.request.request_id ?? null,
          content_hash: asked?.content_hash ?? "",
          option,
          text: words,
        },
      }),
    ),
  );
  if (!asked) {
    return null;
  }
  const { options, question } = asked.request;
  const isBusy = answer.state === "sending" || answer.state === "recorded";
  const send = async (option: string) => {
    if (isArmed() && !isBusy && (await answer.send(option, text)) !== null) {
      setText("");
    }
  };
  return (
    <div>
      <p className={classes.said}>
        <Safe text={question} />
      </p>
      <Textarea
        label={options.length > 0 ? "A word with it, if you like" : "Your answer"}
        autosize
        minRows={1}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group mt="xs" gap={8}>
        {(options.length > 0 ? options : [""]).map((option) => (
          <Button
            key={option}
            variant={options.length > 0 ? "default" : "filled"}
            loading={answer.state === "sending"}
            disabled={isBusy || (option === "" && text.trim() === "")}
            onClick={() => void send(option)}
          >
            {answer.state === "recorded" ? "Recorded" : option || "Send"}
          </Button>
        ))}
      </Group>
      <Failure problem={answer.problem} kept="What you typed is kept." />
    </div>
  );
}
