/** A card of the queue: what has not started, at its place, which dragging, keys and a menu change. */

import { ActionIcon, Menu } from "@mantine/core";
import {
  ArrowDown,
  ArrowUp,
  ArrowUpToLine,
  CirclePause,
  CirclePlay,
  Ellipsis,
  GripVertical,
} from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Schemas } from "@/api/client";
import classes from "@/screens/threads/board/board.module.css";
import type { QueueOrder } from "@/screens/threads/board/useQueueOrder";
import { Safe } from "@/ui/Safe";
import { Status } from "@/ui/Status";

interface Props {
  readonly view: Schemas["EntryView"];
  readonly isActive: boolean;
  readonly order: QueueOrder;
}

/** Show an entry that waits. */
export function EntryCard({ view, isActive, order }: Props) {
  const { entry, why } = view;
  const title = entry.title || entry.entry_id;
  const place = order.placeOf(entry.entry_id);
  const { card, edge, isDragged } = useDragging(entry.entry_id, order);
  const words = why || (entry.reason ?? "");
  return (
    <article
      ref={card}
      className={classes.card}
      data-queued
      data-edge={edge}
      data-dragged={isDragged}
    >
      <div className={classes.head}>
        <GripVertical size={14} className={classes.grip} aria-hidden />
        {/* not dragged itself: the card is, wherever it is taken */}
        <Link
          href="/queue"
          tabIndex={isActive ? 0 : -1}
          className={classes.title}
          draggable={false}
        >
          <Safe text={title} />
        </Link>
        <Actions view={view} title={title} place={place} isActive={isActive} order={order} />
      </div>
      {words !== "" && (
        <p className={classes.said} title={words}>
          <Safe text={words} />
        </p>
      )}
      <div className={classes.facts}>
        <span className={classes.place}>
          <span className="mono" title={entry.project}>
            {entry.project.split("/").at(-1)}
          </span>
          {entry.kind === "flow" && <span>flow</span>}
          {entry.state !== "waiting" && <Status status={entry.state ?? ""} />}
        </span>
        <span title="Position in the queue">#{place + 1}</span>
      </div>
    </article>
  );
}

function useDragging(id: string, order: QueueOrder) {
  const card = useRef<HTMLElement>(null);
  const [edge, show] = useState<"top" | "bottom" | null>(null);
  const [isDragged, setDragged] = useState(false);
  const newest = useRef(order);
  newest.current = order;
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    void import("@/screens/threads/board/drag").then(({ makeDraggable }) => {
      if (card.current !== null && !isGone) {
        stop = makeDraggable(card.current, {
          id,
          placeOf: (each) => newest.current.placeOf(each),
          move: (each, place) => newest.current.move(each, place),
          show,
          setDragged,
        });
      }
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [id]);
  return { card, edge, isDragged };
}

interface ActionsProps extends Props {
  readonly title: string;
  readonly place: number;
}

function Actions({ view, title, place, isActive, order }: ActionsProps) {
  const id = view.entry.entry_id;
  const isHeld = view.entry.state === "held";
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          tabIndex={isActive ? 0 : -1}
          aria-label={`Actions for ${title}`}
        >
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ArrowUp size={14} />}
          disabled={place === 0}
          onClick={() => order.move(id, place - 1)}
        >
          Move up
        </Menu.Item>
        <Menu.Item
          leftSection={<ArrowDown size={14} />}
          disabled={place === order.entries.length - 1}
          onClick={() => order.move(id, place + 1)}
        >
          Move down
        </Menu.Item>
        <Menu.Item
          leftSection={<ArrowUpToLine size={14} />}
          disabled={place === 0}
          onClick={() => order.move(id, 0)}
        >
          Move to the top
        </Menu.Item>
        <Menu.Item
          leftSection={isHeld ? <CirclePlay size={14} /> : <CirclePause size={14} />}
          onClick={() => order.toggleHold(view)}
        >
          {isHeld ? "Release" : "Hold"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
