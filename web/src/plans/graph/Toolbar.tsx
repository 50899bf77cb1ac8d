/** The buttons of a graph: nearer, farther, all of it. */

import { ActionIcon } from "@mantine/core";
import { useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import classes from "@/plans/graph/dag.module.css";

interface Props {
  readonly onFit: () => void;
  readonly children: ReactNode;
}

/** Zoom, and see all of the graph. */
export function Toolbar({ onFit, children }: Props) {
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <div className={classes.tools}>
      <ActionIcon.Group>
        <ActionIcon variant="default" aria-label="Zoom out" onClick={() => void zoomOut()}>
          <Minus size={14} />
        </ActionIcon>
        <ActionIcon variant="default" aria-label="Zoom in" onClick={() => void zoomIn()}>
          <Plus size={14} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          aria-label="Show all of it"
          title="Show all of it"
          onClick={onFit}
        >
          <Maximize size={14} />
        </ActionIcon>
      </ActionIcon.Group>
      {children}
    </div>
  );
}
