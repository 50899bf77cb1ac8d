/** What a phone's menu opens: the sidebar over the page. Its own part, as only phones need it. */

import { Drawer } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "@/shell/shell.module.css";

interface Props {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Lay the sidebar over the page. */
export default function MenuDrawer({ onClose, children }: Props) {
  return (
    <Drawer
      opened
      onClose={onClose}
      size={300}
      padding={0}
      title="Treadle"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ "aria-label": "Close menu" }}
      classNames={{
        header: classes.drawerHeader ?? "",
        title: classes.drawerTitle ?? "",
        body: classes.drawerBody ?? "",
      }}
    >
      {children}
    </Drawer>
  );
}
