/** A button that sends a command. */

import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";
import type { CommandState } from "@/api/commands";
import type { Role } from "@/api/roles";
import { useLack } from "@/ui/ForRole";

interface Props
  extends ButtonProps,
    Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps | "type"> {
  readonly command: { readonly state: CommandState };
  /** Shown once the command is recorded; it cannot be sent again then. */
  readonly done?: string;
  readonly type?: "submit";
  /** The role that the command needs; `none` where it is of the person alone. */
  readonly needs?: Role;
}

/** Show a button, busy while its command is under way. */
export function CommandButton({
  command,
  done,
  disabled,
  needs = "author",
  children,
  ...rest
}: Props) {
  const isDone = done !== undefined && command.state === "recorded";
  const lack = useLack(needs);
  return (
    <Button
      loading={command.state === "sending"}
      disabled={Boolean(disabled) || isDone || lack !== ""}
      {...(lack === "" ? {} : { title: lack })}
      {...rest}
    >
      {isDone ? done : children}
    </Button>
  );
}
