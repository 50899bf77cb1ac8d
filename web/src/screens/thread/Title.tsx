/** What a thread is called, changed in its place. */

import { ActionIcon, TextInput } from "@mantine/core";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { useCommand } from "@/api/commands";
import { renameThread } from "@/api/thread_commands";
import classes from "@/screens/thread/thread.module.css";
import { Failure } from "@/ui/Failure";
import { Safe } from "@/ui/Safe";

interface Props {
  readonly threadId: string;
  readonly topic: string;
  readonly isLive: boolean;
}

/** Show the topic; the pencil makes it a field, Enter keeps what is in it. */
export function Title({ threadId, topic, isLive }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const command = useCommand((id: string, name: string) => renameThread(id, threadId, name));
  const save = async () => {
    const name = typed?.trim() ?? "";
    if (name === "" || name === topic || (await command.send(name)) !== null) {
      setTyped(null);
    }
  };
  if (typed === null) {
    return (
      <div className={classes.topic}>
        <h1 title={topic}>
          <Safe text={topic} />
        </h1>
        {isLive && (
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label="Rename"
            onClick={() => setTyped(topic)}
          >
            <Pencil size={13} aria-hidden />
          </ActionIcon>
        )}
      </div>
    );
  }
  return (
    <div className={classes.topic} data-typed="true">
      <TextInput
        aria-label="Thread name"
        value={typed}
        autoFocus
        disabled={command.state === "sending"}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            void save();
          } else if (event.key === "Escape") {
            event.stopPropagation();
            setTyped(null);
          }
        }}
      />
      <Failure problem={command.problem} note="The new name is saved." />
    </div>
  );
}
