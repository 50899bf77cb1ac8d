/** A button that sends a command. */

import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import type { CommandState } from "@/api/commands";

interface Props
  extends ButtonProps,
    Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps | "type"> {
  readonly command: { readonly state: CommandState };
  /** Shown once the command is recorded; it cannot be sent again then. */
  readonly done?: string;
  readonly type?: "submit";
}

/** Show a button, busy while its command is under way. */
export function CommandButton({ command, done, disabled, children, ...rest }: Props) {
  const isDone = done !== undefined && command.state === "recorded";
  return (
    <Button loading={command.state === "sending"} disabled={Boolean(disabled) || isDone} {...rest}>
      {isDone ? done : children}
    </Button>
  );
}
