/** A word to a task that waits for one. */

import { Group, Textarea } from "@mantine/core";
import { useEffect } from "react";
import { useCommand } from "@/api/commands";
import { replyId } from "@/api/request_keys";
import { sendMessage } from "@/api/thread_commands";
import { isWriting } from "@/api/unsent";
import { onModEnter } from "@/keyboard/mod_enter";
import { CommandButton } from "@/ui/CommandButton";
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
    (id: string, line: string) => sendMessage(id, { thread, task }, line),
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
        onKeyDown={onModEnter(() => void send())}
      />
      <Group mt="xs" gap={8}>
        <CommandButton
          command={message}
          disabled={isBusy || text.trim() === ""}
          done="Sent"
          onClick={() => void send()}
        >
          Send
        </CommandButton>
      </Group>
      <Failure problem={message.problem} note="Your text is saved." />
    </div>
  );
}
