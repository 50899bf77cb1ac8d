/** A line through the journal of a thread: choose a moment, and see everything as it was then. */

import { ActionIcon, Button } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { memo, useEffect, useMemo, useRef, useState } from "react";
import { useCheckpoints, useTimeline } from "@/api/queries";
import { ForkFromHere } from "@/execution/ForkFromHere";
import { indexOf, type Stop, stopsOf, taskOf } from "@/execution/moments";
import { RetryFromHere } from "@/execution/RetryFromHere";
import classes from "@/execution/scrubber.module.css";
import { useMoment } from "@/execution/useMoment";
import { formatMoment } from "@/format";
import { useKeys } from "@/keyboard/registry";
import type { ThreadView } from "@/plans/models";
import { Kbd } from "@/ui/Kbd";
import { Safe } from "@/ui/Safe";
import { withMarks } from "@/ui/suspicious_text";

interface Props {
  readonly thread: ThreadView;
  /** The position that is shown; null is now. */
  readonly at: number | null;
}

const NONE = [] as const;
const SETTLE_MS = 120;

/** Choose a moment of a thread; the address holds it, and Escape returns to live. */
export function Scrubber({ thread, at }: Props) {
  const moments = useTimeline(thread.thread_id).data?.moments ?? NONE;
  const checkpoints = useCheckpoints(thread.thread_id).data ?? NONE;
  const stops = useMemo(() => stopsOf(moments, checkpoints), [moments, checkpoints]);
  const { show } = useMoment();
  const { index, goTo } = useDragged(stops, at, show);
  const stop = stops[index];
  const back = () => {
    if (document.querySelector('[role="dialog"]') === null) {
      show(null);
    }
  };
  const step = (by: number) => goTo(Math.max(0, Math.min(stops.length, index + by)));
  useKeys("Time travel", [
    { keys: ",", label: "Previous moment", run: () => step(-1) },
    { keys: ".", label: "Next moment", run: () => step(1) },
    ...(at === null
      ? []
      : [{ keys: "Escape", label: "Return to live", run: back, isAlways: true }]),
  ]);
  const task = stop === undefined ? null : taskOf(thread.thread_id, stop.stream);
  return (
    <section className={classes.scrubber} aria-label="Time travel">
      {at !== null && <div className={classes.frame} aria-hidden />}
      <div className={classes.line}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Previous moment"
          disabled={index === 0}
          onClick={() => step(-1)}
        >
          <ChevronLeft size={16} />
        </ActionIcon>
        <Track stops={stops} index={index} onGo={goTo} />
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Next moment"
          disabled={index >= stops.length}
          onClick={() => step(1)}
        >
          <ChevronRight size={16} />
        </ActionIcon>
      </div>
      <div className={classes.words}>
        <Where
          stop={stop}
          task={task}
          isPast={at !== null}
          count={`${Math.min(index + 1, stops.length)}/${stops.length}`}
        />
        {at !== null && (
          <span className={classes.actions}>
            <ForkFromHere thread={thread} position={at} />
            <RetryFromHere thread={thread} position={at} task={task} checkpoints={checkpoints} />
            <Button variant="default" onClick={() => show(null)} rightSection={<Kbd keys="Esc" />}>
              Return to live
            </Button>
          </span>
        )}
      </div>
    </section>
  );
}

/** While somebody drags, the line moves at once and the address follows a little later. */
function useDragged(
  stops: readonly Stop[],
  at: number | null,
  show: (position: number | null) => void,
) {
  const [dragged, setDragged] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address came after, so it counts
  useEffect(() => setDragged(null), [at]);
  const goTo = (index: number) => {
    setDragged(index);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => show(stops[index]?.position ?? null), SETTLE_MS);
  };
  return { index: dragged ?? indexOf(stops, at), goTo };
}

interface TrackProps {
  readonly stops: readonly Stop[];
  readonly index: number;
  readonly onGo: (index: number) => void;
}

function Track({ stops, index, onGo }: TrackProps) {
  const last = stops.length;
  const stop = stops[index];
  return (
    <div className={classes.track}>
      <Ticks stops={stops} />
      <input
        type="range"
        className={classes.range}
        aria-label="Moment"
        aria-valuetext={stop ? `${formatMoment(stop.at)} ${withMarks(stop.label)}` : "now"}
        min={0}
        max={last}
        step={1}
        value={index}
        onChange={(event) => onGo(Number(event.currentTarget.value))}
      />
    </div>
  );
}

/** All moments in a few paths: a thread may have thousands. */
const Ticks = memo(function Ticks({ stops }: { readonly stops: readonly Stop[] }) {
  const paths = new Map<string, string>();
  const draw = (tone: string, path: string) => paths.set(tone, (paths.get(tone) ?? "") + path);
  stops.forEach(({ tone, isCheckpoint }, place) => {
    draw(tone, tone === "error" ? `M${place} 6v16` : `M${place} 9v10`);
    if (isCheckpoint) {
      draw("checkpoint", `M${place} 23v3`);
    }
  });
  return (
    <svg
      className={classes.ticks}
      viewBox={`0 0 ${Math.max(1, stops.length)} 28`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {[...paths].map(([tone, path]) => (
        <path key={tone} d={path} data-tone={tone} className={classes.tick} />
      ))}
    </svg>
  );
});

interface WhereProps {
  readonly stop: Stop | undefined;
  readonly task: string | null;
  readonly isPast: boolean;
  readonly count: string;
}

function Where({ stop, task, isPast, count }: WhereProps) {
  if (stop === undefined) {
    return <span className="dim">Live. Drag, or press , and . to step through the history.</span>;
  }
  return (
    <span role="status" className={classes.where}>
      {isPast && <strong className={classes.past}>as of {formatMoment(stop.at)}, read only</strong>}
      <span>
        {task !== null && <span className="mono">{task} </span>}
        <Safe text={stop.label} />
        {stop.isCheckpoint && " · checkpoint"}
      </span>
      <span className="dim">{count}</span>
    </span>
  );
}
