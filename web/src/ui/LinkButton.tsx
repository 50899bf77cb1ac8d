/** A way to another screen that looks like a button, and opens in a new tab as links do. */

import { Button, type ButtonProps } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";

interface Props extends ButtonProps {
  readonly to: string;
  readonly children: ReactNode;
}

/** Show a link as a button. */
export function LinkButton({ to, children, ...look }: Props) {
  return (
    <Button component={Link} href={to} variant="default" {...look}>
      {children}
    </Button>
  );
}
