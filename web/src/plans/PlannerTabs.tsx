/** The planners of a thread as tabs: who, which revision, or how long they are at it. */

import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "@/plans/panel.module.css";
import type { Planner } from "@/plans/planners";
import { LinkButton } from "@/ui/LinkButton";
import { Status } from "@/ui/Status";

interface Props {
  readonly planners: readonly Planner[];
  readonly shown: string;
  readonly onShow: (letter: string | null) => void;
  readonly threadId: string;
  readonly menu: ReactNode;
}

/** Choose whose plan is shown. */
export function PlannerTabs({ planners, shown, onShow, threadId, menu }: Props) {
  const waiting = planners.filter(({ isWaiting }) => isWaiting);
  return (
    <div className={classes.tabs}>
      <Tabs value={shown} onChange={onShow} className={classes.tabList}>
        <Tabs.List aria-label="Plans">
          {planners.map((planner) => (
            <Tabs.Tab key={planner.letter} value={planner.letter}>
              <span className={classes.tabName}>
                <span className={classes.letter}>{planner.letter}</span> {planner.name}
                {planner.newest && planners.length > 1 && (
                  <span className="mono dim">r{planner.newest.revision}</span>
                )}
                {planner.session.is_working && <Status status="planning" word="" />}
              </span>
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {waiting.length > 1 && <LinkButton to={`/threads/${threadId}/compare`}>Compare</LinkButton>}
      {menu}
    </div>
  );
}
