/** A word to a task that waits for one. */

import { Button, Group, Textarea } from "@mantine/core";
import { useEffect } from "react";
import { api, body, header } from "@/api/client";
import { useCommand } from "@/api/commands";
import { replyId } from "@/api/request_keys";
import { isWriting } from "@/api/unsent";
import { useDraft } from "@/ui/draft";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly thread: string;
  readonly task: string;
}

/** Take a message and send it to a task; Mod+Enter sends. */
export function Reply({ thread, task }: Props) {
  const subject = {
    requestId: replyId(task),
    title: `Message to ${task}`,
    threadId: thread,
    taskId: task,
    draft: `reply.${thread}.${task}`,
  };
  const [text, setText] = useDraft(subject.draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed is read where it is kept
  useEffect(() => isWriting(subject), [text, subject.requestId]);
  const message = useCommand(
    (commandId: string, line: string) =>
      body(
        api.POST("/v1/threads/{thread}/tasks/{task}/messages", {
          params: { header, path: { thread, task } },
          body: { command_id: commandId, text: line, attachments: [] },
        }),
      ),
    subject,
  );
  const isBusy = message.state === "sending" || message.state === "recorded";
  const send = async () => {
    if (!isBusy && text.trim() !== "" && (await message.send(text)) !== null) {
      setText("");
    }
  };
  return (
    <div>
      <Textarea
        label={`Message to ${task}`}
        autosize
        minRows={2}
        maxRows={10}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
            event.preventDefault();
            void send();
          }
        }}
      />
      <Group mt="xs" gap={8}>
        <Button
          loading={message.state === "sending"}
          disabled={isBusy || text.trim() === ""}
          onClick={() => void send()}
        >
          {message.state === "recorded" ? "Recorded" : "Send"}
        </Button>
      </Group>
      <Failure problem={message.problem} note="Your text is saved." />
    </div>
  );
}
