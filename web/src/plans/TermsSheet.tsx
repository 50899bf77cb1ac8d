/** All terms of an approval on a phone, over the page. Its own part, as only phones need it. */

import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "@/plans/plan.module.css";

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Lay the terms over the lower part of the page. */
export default function TermsSheet({ title, isOpen, onClose, children }: Props) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="bottom"
      title={title}
      transitionProps={{ duration: 0 }}
      styles={{ content: { height: "auto" } }}
      classNames={{ body: classes.sheet ?? "" }}
    >
      {children}
    </Drawer>
  );
}
