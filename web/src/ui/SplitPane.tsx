/** Two panes with a bar between them that is dragged or moved by keys; narrow windows stack them. */

import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";
import classes from "@/ui/panes.module.css";

const LEAST = 20;
const MOST = 80;
const STEP = 2;

interface Props {
  /** What its width is remembered by, in this browser. */
  readonly name: string;
  readonly left: ReactNode;
  /** Without a right pane the left one has all the room. */
  readonly right: ReactNode | null;
  /** Share of the left pane in percent, until somebody moves the bar. */
  readonly share?: number;
  readonly leftLabel?: string;
  readonly rightLabel?: string;
}

function bounded(share: number): number {
  return Math.min(MOST, Math.max(LEAST, Math.round(share)));
}

function useShare(name: string, beginning: number): readonly [number, (share: number) => void] {
  const key = `treadle.split.${name}`;
  const [share, setShare] = useState(() => {
    const saved = Number(localStorage.getItem(key));
    return saved > 0 ? bounded(saved) : beginning;
  });
  const keep = (wanted: number) => {
    const next = bounded(wanted);
    localStorage.setItem(key, String(next));
    setShare(next);
  };
  return [share, keep];
}

/** Lay two panes side by side; F6 goes from pane to pane. */
export function SplitPane({
  name,
  left,
  right,
  share: beginning = 50,
  leftLabel = "Left pane",
  rightLabel = "Right pane",
}: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [share, setShare] = useShare(name, beginning);
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || frame.current === null) {
      return;
    }
    const box = frame.current.getBoundingClientRect();
    setShare((100 * (event.clientX - box.left)) / box.width);
  };
  const press = (event: KeyboardEvent) => {
    const wanted = {
      ArrowLeft: share - STEP,
      ArrowRight: share + STEP,
      Home: LEAST,
      End: MOST,
    }[event.key];
    if (wanted !== undefined) {
      event.preventDefault();
      setShare(wanted);
    }
  };
  if (right === null) {
    return <Pane label={leftLabel}>{left}</Pane>;
  }
  return (
    <div
      ref={frame}
      className={classes.split}
      style={{ gridTemplateColumns: `minmax(0, ${share}fr) 7px minmax(0, ${100 - share}fr)` }}
    >
      <Pane label={leftLabel}>{left}</Pane>
      {/* biome-ignore lint/a11y/useSemanticElements: an hr cannot be dragged or focused */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label={`Resize ${leftLabel}`}
        aria-valuenow={share}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        tabIndex={0}
        className={classes.splitBar}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onDoubleClick={() => setShare(beginning)}
        onKeyDown={press}
      />
      <Pane label={rightLabel}>{right}</Pane>
    </div>
  );
}

function Pane({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section className={classes.pane} aria-label={label} data-pane tabIndex={-1}>
      <h2 className="visually-hidden">{label}</h2>
      {children}
    </section>
  );
}
