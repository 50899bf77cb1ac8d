/** The lower end of a dialog: what went wrong, and the buttons. */

import { Button, Group } from "@mantine/core";
import type { Command } from "@/api/commands";
import type { Role } from "@/api/roles";
import { CommandButton } from "@/ui/CommandButton";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly command: Pick<Command<never[], unknown>, "state" | "problem">;
  readonly verb: string;
  readonly onSend: () => void;
  readonly onClose: () => void;
  /** Shown on the button once the command is recorded. */
  readonly done?: string;
  readonly disabled?: boolean;
  readonly color?: string;
  /** The role that the command needs. */
  readonly needs?: Role;
  /** What is saved if the command is refused. */
  readonly note?: string;
}

/** Show the refusal of a command above a button that closes the dialog and one that sends it. */
export function DialogActions({ command, verb, onSend, onClose, note, ...button }: Props) {
  const isDone = button.done !== undefined && command.state === "recorded";
  return (
    <>
      <Failure problem={command.problem} {...(note === undefined ? {} : { note })} />
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" data-autofocus onClick={onClose}>
          {isDone ? "Close" : "Cancel"}
        </Button>
        <CommandButton command={command} onClick={onSend} {...button}>
          {verb}
        </CommandButton>
      </Group>
    </>
  );
}
