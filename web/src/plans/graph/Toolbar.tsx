/** The buttons of a graph: nearer, farther, all of it. */

import { ActionIcon } from "@mantine/core";
import { Panel, useReactFlow } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import classes from "@/plans/graph/dag.module.css";

interface Props {
  readonly onFit: () => void;
  readonly children: ReactNode;
}

/** Zoom and fit; never below what can be read. */
export function Toolbar({ onFit, children }: Props) {
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <Panel position="bottom-left">
      <div className={classes.tools}>
        <ActionIcon.Group>
          <ActionIcon variant="default" aria-label="Zoom out" onClick={() => void zoomOut()}>
            <Minus size={14} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Zoom in" onClick={() => void zoomIn()}>
            <Plus size={14} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Fit to view" onClick={onFit}>
            <Maximize size={14} />
          </ActionIcon>
        </ActionIcon.Group>
        {children}
      </div>
    </Panel>
  );
}
