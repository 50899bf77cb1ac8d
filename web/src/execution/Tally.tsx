/** How far a plan is, in one line. */

import { familyOf, waitingIn } from "@/api/lines";
import { useInbox } from "@/api/queries";
import classes from "@/execution/execution.module.css";
import { tallyOf } from "@/execution/task_status";
import { plural } from "@/format";
import type { ThreadView } from "@/plans/models";
import { Bar } from "@/ui/Bar";
import { Status } from "@/ui/Status";

interface Props {
  readonly thread: ThreadView;
  readonly isLive: boolean;
}

/** Show done of total, what runs, what needs somebody, what failed or is blocked. */
export function Tally({ thread, isLive }: Props) {
  const { done, total, running, failed, blocked, ...then } = tallyOf(thread);
  const items = useInbox().data?.items ?? [];
  const needsYou = isLive ? waitingIn(items, familyOf(thread)) : then.needsYou;
  const { own_turns: own } = thread.running;
  return (
    <span className={classes.tally}>
      <Bar done={done} total={total} />
      {thread.plan_status === "paused" && (
        <Status status="paused" word={thread.running.paused || "paused"} />
      )}
      {running > 0 && <Status status="running" word={`${running} running`} />}
      {needsYou > 0 && (
        <Status status="waiting" word={`${needsYou} ${needsYou === 1 ? "needs" : "need"} you`} />
      )}
      {failed > 0 && <Status status="failed" word={`${failed} failed`} />}
      {blocked > 0 && <Status status="blocked" word={`${blocked} blocked`} />}
      {thread.running.is_auto && <span className="dim">auto</span>}
      {own.taken > 0 && (
        <span className="dim" title="Turns that the agent took without a message">
          {plural(own.taken, "own turn")}, {own.left} left
        </span>
      )}
      {thread.version > 1 && <span className="dim">version {thread.version}</span>}
    </span>
  );
}
