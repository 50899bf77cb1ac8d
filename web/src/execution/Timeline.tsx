/** The tasks of a plan by the clock: what each did when, what happened, and now. */

import { ActionIcon } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { Minus, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import { useTimeline } from "@/api/queries";
import { type Scale, scaleOf, ticksOf } from "@/execution/scales";
import classes from "@/execution/timeline.module.css";
import { useMoment } from "@/execution/useMoment";
import { formatDuration, formatMoment } from "@/format";
import { useNow } from "@/ui/Ago";
import { Empty } from "@/ui/Empty";
import { Safe } from "@/ui/Safe";
import { useShortList } from "@/ui/useShortList";

type Line = Schemas["TaskLine"];

interface Props {
  readonly threadId: string;
  /** The position of the past that is shown; null is now. */
  readonly at: number | null;
}

const NO_LINES: readonly Line[] = [];
const MOST_ZOOM = 32;
const REDRAW_MS = 5000;
const STATUSES = ["pending", "planning", "running", "verifying", "waiting", "merging", "failed"];

/** Show each task as a line of spans; a mark leads to that moment. */
export function Timeline({ threadId, at }: Props) {
  const { data } = useTimeline(threadId);
  const now = useNow();
  const { ref, width } = useElementSize();
  const [zoom, setZoom] = useState(1);
  const end = data?.ended_at ? Date.parse(data.ended_at) : Math.ceil(now / REDRAW_MS) * REDRAW_MS;
  const scale = useMemo(() => (data ? scaleOf(timesOf(data, end)) : null), [data, end]);
  const { shown, field, more } = useShortList(
    data?.tasks ?? NO_LINES,
    "task",
    (line) => `${line.task_id} ${line.title}`,
    (line) => (openOf(line) ?? "pending") !== "pending",
  );
  if (data === undefined || scale === null) {
    return <div ref={ref} aria-busy="true" />;
  }
  if (data.tasks.length === 0) {
    return <Empty title="No tasks yet" text="Tasks appear here once a plan is running." />;
  }
  const isOver = data.ended_at !== null && data.ended_at !== undefined;
  const moment = data.moments.findLast(({ position }) => at !== null && position <= at);
  return (
    <div className={classes.timeline}>
      <div className={classes.zoom}>
        <span className="dim">
          {formatMoment(scale.from)} · {formatDuration(scale.to - scale.from)}
          {scale.breaks.length > 0 && " · long pauses are collapsed"}
        </span>
        <ActionIcon.Group>
          <ActionIcon
            variant="default"
            aria-label="Zoom out"
            disabled={zoom === 1}
            onClick={() => setZoom(zoom / 2)}
          >
            <Minus size={14} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            aria-label="Zoom in"
            disabled={zoom >= MOST_ZOOM}
            onClick={() => setZoom(zoom * 2)}
          >
            <Plus size={14} />
          </ActionIcon>
        </ActionIcon.Group>
      </div>
      {field}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and keys must reach it */}
      <section ref={ref} className={classes.frame} aria-label="Task timeline" tabIndex={0}>
        <div className={classes.lines} style={{ width: `${100 * zoom}%` }}>
          <Axis scale={scale} width={Math.max(200, width * zoom - 160)} />
          {shown.map((line) => (
            <TaskLine key={line.task_id} threadId={threadId} line={line} scale={scale} end={end} />
          ))}
          <div className={classes.overlay}>
            {!isOver && <Upright place={scale.place(now)} kind="now" label="now" />}
            {moment && (
              <Upright place={scale.place(Date.parse(moment.at))} kind="at" label="shown" />
            )}
          </div>
        </div>
      </section>
      {more}
      <div className={classes.legend}>
        {STATUSES.map((status) => (
          <span key={status}>
            <span className={classes.span} data-status={status} /> {status}
          </span>
        ))}
      </div>
    </div>
  );
}

function timesOf(data: Schemas["Timeline"], end: number): readonly number[] {
  const spans = data.tasks.flatMap(({ spans: all }) =>
    all.flatMap(({ began_at, ended_at }) => [began_at, ...(ended_at ? [ended_at] : [])]),
  );
  const times = [data.began_at, ...spans, ...data.moments.map(({ at }) => at)];
  return [...times.map((time) => Date.parse(time)), end];
}

function Axis({ scale, width }: { readonly scale: Scale; readonly width: number }) {
  return (
    <div className={classes.line} aria-hidden>
      <span className={classes.name} />
      <div className={classes.axis}>
        {ticksOf(scale, width).map(({ at, place, label }) => (
          <span key={at} className={classes.tick} style={{ left: `${100 * place}%` }}>
            {label}
          </span>
        ))}
        {scale.breaks.map(({ from, to, length }) => (
          <span
            key={from}
            className={classes.break}
            style={{ left: `${100 * from}%`, width: `${100 * (to - from)}%` }}
            title={`no activity for ${formatDuration(length)}`}
          >
            {formatDuration(length)}
          </span>
        ))}
      </div>
    </div>
  );
}

interface LineProps {
  readonly threadId: string;
  readonly line: Line;
  readonly scale: Scale;
  readonly end: number;
}

function TaskLine({ threadId, line, scale, end }: LineProps) {
  const { show } = useMoment();
  const endOf = (span: Line["spans"][number]) => (span.ended_at ? Date.parse(span.ended_at) : end);
  const message = line.spans
    .map((span) => `${span.status} ${formatDuration(endOf(span) - Date.parse(span.began_at))}`)
    .join(", ");
  return (
    <div className={classes.line}>
      <Link
        href={`/threads/${threadId}/tasks/${line.task_id}`}
        className={classes.name}
        title={`${line.title}: ${message}`}
      >
        <Safe text={line.title || line.task_id} />
        <span className={classes.hidden}>: {message}</span>
      </Link>
      <div className={classes.track}>
        {line.spans.map((span) => {
          const from = scale.place(Date.parse(span.began_at));
          const to = scale.place(endOf(span));
          return (
            <span
              key={`${span.position} ${span.status}`}
              className={classes.span}
              data-status={span.status}
              style={{ left: `${100 * from}%`, width: `${100 * Math.max(to - from, 0.002)}%` }}
              title={`${span.status} ${formatDuration(endOf(span) - Date.parse(span.began_at))}`}
            />
          );
        })}
        {line.marks.map((mark) => (
          <button
            key={`${mark.position} ${mark.kind}`}
            type="button"
            tabIndex={-1}
            className={classes.mark}
            data-kind={mark.kind}
            style={{ left: `${100 * scale.place(Date.parse(mark.at))}%` }}
            title={`${formatMoment(mark.at)} ${mark.label}`}
            aria-label={`Show ${mark.label}`}
            onClick={() => show(mark.position)}
          >
            <span aria-hidden>{signOf(mark.kind)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

/** Return what a task does now; nothing once it has ended. */
function openOf(line: Line): string | undefined {
  const last = line.spans.at(-1);
  return last && !last.ended_at ? last.status : undefined;
}

const SIGNS: readonly (readonly [RegExp, string])[] = [
  [/merged|completed|passed|approved/, "✓"],
  [/failed|rejected|aborted|conflict/, "✗"],
  [/gate|decision|plan|question|asked/, "◆"],
];

function signOf(kind: string): string {
  return SIGNS.find(([pattern]) => pattern.test(kind))?.[1] ?? "•";
}

interface UprightProps {
  readonly place: number;
  readonly kind: "now" | "at";
  readonly label: string;
}

function Upright({ place, kind, label }: UprightProps) {
  return (
    <span className={classes.upright} data-kind={kind} style={{ left: `${100 * place}%` }}>
      <span>{label}</span>
    </span>
  );
}
