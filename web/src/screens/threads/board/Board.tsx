/** The board: all threads and what waits in the queue, by where they stand. */

import { useMediaQuery } from "@mantine/hooks";
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useLocation } from "wouter";
import type { Schemas } from "@/api/client";
import { useTopic } from "@/api/events/connection";
import { useInbox } from "@/api/queries";
import type { ThreadFilters } from "@/api/thread_news";
import { useKeys } from "@/keyboard/registry";
import classes from "@/screens/threads/board/board.module.css";
import { ThreadCard } from "@/screens/threads/board/Card";
import {
  askedOf,
  boardOf,
  COLUMNS,
  type ColumnName,
  type ColumnShape,
  type Item,
  isEntryAmong,
  steadied,
} from "@/screens/threads/board/columns";
import { EntryCard } from "@/screens/threads/board/EntryCard";
import { type QueueOrder, useQueueOrder } from "@/screens/threads/board/useQueueOrder";
import { ThreadActions } from "@/screens/threads/ThreadActions";
import { RovingList } from "@/ui/RovingList";
import { TabList } from "@/ui/TabList";

type ThreadLine = Schemas["ThreadLine"];

interface Props {
  readonly lines: readonly ThreadLine[];
  readonly filters: ThreadFilters;
  /** Where the journal was when they were fetched. */
  readonly position: number;
  /** Whether more are still being fetched: counts are not the last then. */
  readonly isPartial: boolean;
  readonly onAsk: (what: "rename" | "delete", line: ThreadLine) => void;
}

/** Other columns hold nothing that is asked: they are not drawn again when the inbox changes. */
const NOBODY: ReadonlyMap<string, string> = new Map();
const CLOSED = "treadle.board.closed";

/** Show the columns side by side; on a phone one at a time. */
export default function Board({ lines, filters, position, isPartial, onAsk }: Props) {
  const isPhone = useMediaQuery("(max-width: 760px)", false, { getInitialValueInEffect: false });
  const order = useQueueOrder();
  const items = useInbox().data?.items;
  useTopic("board", position, () => undefined); // what agents say comes with the rows then
  const asked = useMemo(() => askedOf(items ?? []), [items]);
  const fresh = useMemo(() => {
    const entries = order.entries.filter((view) => isEntryAmong(view, filters));
    return boardOf(lines, entries, asked);
  }, [lines, order.entries, asked, filters]);
  const last = useRef(fresh);
  const board = useMemo(() => steadied(fresh, last.current), [fresh]);
  last.current = board;
  const [shown, setShown] = useState<ColumnName>("waiting");
  const countOf = (name: ColumnName) => `${board[name].length}${isPartial ? "+" : ""}`;
  const column = (shape: ColumnShape) => (
    <Column
      key={shape.name}
      shape={shape}
      items={board[shape.name]}
      asked={shape.name === "waiting" ? asked : NOBODY}
      count={countOf(shape.name)}
      order={order}
      onAsk={onAsk}
    />
  );
  return (
    <div className={classes.frame}>
      <p role="status" className="visually-hidden">
        {order.report}
      </p>
      {isPhone ? (
        <>
          <TabList
            label="Columns"
            chosen={shown}
            onChoose={setShown}
            tabs={COLUMNS.map(({ name, title }) => ({
              name,
              content: (
                <>
                  {title} <span className={classes.count}>{countOf(name)}</span>
                </>
              ),
            }))}
          />
          {COLUMNS.filter(({ name }) => name === shown).map(column)}
        </>
      ) : (
        <Columns>{COLUMNS.map(column)}</Columns>
      )}
    </div>
  );
}

/** Columns between which left and right go. */
function Columns({ children }: { readonly children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const target = event.target as HTMLElement;
    if (by === undefined || !target.matches("[data-row]") || event.altKey || event.metaKey) {
      return;
    }
    const stops = [
      ...(frame.current?.querySelectorAll<HTMLElement>('[data-row][tabindex="0"]') ?? []),
    ];
    const next = stops[stops.indexOf(target) + by];
    if (next !== undefined) {
      event.preventDefault();
      next.focus();
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the lists inside
    <div ref={frame} className={classes.columns} onKeyDown={press}>
      {children}
    </div>
  );
}

interface ColumnProps extends Pick<Props, "onAsk"> {
  readonly shape: ColumnShape;
  readonly items: readonly Item[];
  /** What is asked of threads. */
  readonly asked: ReadonlyMap<string, string>;
  readonly count: string;
  readonly order: QueueOrder;
}

const Column = memo(function Column(props: ColumnProps) {
  const { shape, items, asked, count, order, onAsk } = props;
  const [, go] = useLocation();
  const [active, setActive] = useState<string | null>(null);
  const isLast = shape.name === "closed";
  const [isOpen, setOpen] = useState(() => !isLast || localStorage.getItem(CLOSED) === "open");
  useEffect(() => {
    if (isLast) {
      localStorage.setItem(CLOSED, isOpen ? "open" : "");
    }
  }, [isLast, isOpen]);
  const queued = active !== null && items.some(({ id, entry }) => id === active && entry);
  useKeys("Queued card", queued && active !== null ? keysOf(active, order) : []);
  const heading = (
    <>
      <span className={classes.dot} data-column={shape.name} aria-hidden />
      {shape.title} <span className={classes.count}>{count}</span>
    </>
  );
  const name = `column-${shape.name}`;
  return (
    <section className={classes.column} aria-labelledby={name} data-open={isOpen}>
      <h2 className={classes.heading} id={name}>
        {isLast ? (
          <button
            type="button"
            className={classes.fold}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {heading}
          </button>
        ) : (
          heading
        )}
      </h2>
      {isOpen && (
        <div className={classes.cards} data-pane>
          {items.length === 0 && <p className={classes.none}>{shape.none}</p>}
          {items.length > 0 && (
            <RovingList
              label={shape.title}
              items={items}
              getKey={({ id }) => id}
              hasControls
              isVirtual
              active={active}
              onActive={setActive}
              onOpen={({ id, line }) => go(line ? `/threads/${id}` : "/queue")}
              render={(item, isActive) =>
                item.line ? (
                  <ThreadCard
                    line={item.line}
                    isActive={isActive}
                    asks={asked.get(item.id) ?? ""}
                    menu={<ThreadActions line={item.line} stop={isActive ? 0 : -1} onAsk={onAsk} />}
                  />
                ) : (
                  <EntryCard view={item.entry} isActive={isActive} order={order} />
                )
              }
            />
          )}
        </div>
      )}
    </section>
  );
});

function keysOf(id: string, order: QueueOrder) {
  const by = (step: number) => () => order.move(id, order.placeOf(id) + step);
  return [
    { keys: "Shift+k", label: "Move up in the queue", run: by(-1) },
    { keys: "Shift+j", label: "Move down in the queue", run: by(1) },
  ];
}
