/** A status as colour, shape and word: nobody needs to tell colours apart. */

import {
  Ban,
  Circle,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Diamond,
  LoaderCircle,
  type LucideIcon,
  OctagonAlert,
} from "lucide-react";
import classes from "@/ui/ui.module.css";

type Tone = "ok" | "run" | "wait" | "fail" | "idle" | "plan";

const LOOKS: Readonly<Record<string, readonly [Tone, LucideIcon, string]>> = {
  pending: ["idle", CircleDashed, "pending"],
  idle: ["idle", Circle, "idle"],
  open: ["idle", Circle, "open"],
  chat: ["idle", Circle, "chat"],
  held: ["idle", CirclePause, "held"],
  paused: ["idle", CirclePause, "paused"],
  stopped: ["idle", CirclePause, "stopped"],
  cancelled: ["idle", Ban, "cancelled"],
  terminated: ["fail", Ban, "terminated"],
  planning: ["plan", LoaderCircle, "planning"],
  running: ["run", LoaderCircle, "running"],
  active: ["run", LoaderCircle, "running"],
  starting: ["run", LoaderCircle, "starting"],
  stopping: ["run", LoaderCircle, "stopping"],
  verifying: ["run", LoaderCircle, "verifying"],
  merging: ["run", LoaderCircle, "merging"],
  reworking: ["run", LoaderCircle, "reworking"],
  started: ["run", LoaderCircle, "started"],
  waiting: ["wait", Diamond, "needs you"],
  needs_decision: ["wait", Diamond, "needs decision"],
  queued: ["idle", CircleDashed, "queued"],
  failed: ["fail", CircleX, "failed"],
  blocked: ["fail", OctagonAlert, "blocked"],
  completed: ["ok", CircleCheck, "completed"],
  passed: ["ok", CircleCheck, "passed"],
  merged: ["ok", CircleCheck, "merged"],
  approved: ["ok", CircleCheck, "approved"],
  changes_requested: ["wait", Diamond, "changes requested"],
  unverified: ["idle", CircleDashed, "no verification steps"],
};

const MOVING: ReadonlySet<LucideIcon> = new Set([LoaderCircle]);

interface Props {
  readonly status: string;
  /** Another word than the status's own; empty shows the shape alone, still read aloud. */
  readonly word?: string;
}

/** Show a status of a thread, task, step, run or entry. */
export function Status({ status, word }: Props) {
  const [tone, Icon, own] = LOOKS[status] ?? ["idle", Circle, status.replaceAll("_", " ")];
  const text = word ?? own;
  return (
    <span className={classes.status} data-tone={tone}>
      <Icon
        size={14}
        aria-hidden={text !== ""}
        aria-label={text === "" ? own : undefined}
        role={text === "" ? "img" : undefined}
        className={MOVING.has(Icon) ? classes.moving : undefined}
      />
      {text}
    </span>
  );
}
