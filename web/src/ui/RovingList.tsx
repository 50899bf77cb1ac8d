/** A list that is one Tab stop: arrows, j and k go through it, Enter opens. */

import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Link } from "wouter";
import { hasSingleKeys, useKeys } from "@/keyboard/registry";
import classes from "@/ui/panes.module.css";

interface Props<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly getKey: (item: T) => string;
  readonly render: (item: T, isActive: boolean) => ReactNode;
  readonly onOpen?: (item: T) => void;
  /** Rows are links to these addresses. */
  readonly href?: (item: T) => string;
  /** Rows hold buttons or fields of their own, so a click in a row opens nothing. */
  readonly hasControls?: boolean;
  /** The row that Tab leads to, by its key; kept by the list itself where it is left out. */
  readonly active?: string | null;
  readonly onActive?: (key: string) => void;
  /** What stands above a row: the heading of those that begin with it. */
  readonly heading?: (item: T, row: number) => ReactNode;
  /** Fills its parent, scrolls, and has only those rows in the page that are seen. */
  readonly isVirtual?: boolean;
  /** Take j and k wherever the focus is, under this name in the cheat sheet. */
  readonly keyScope?: string;
}

const NO_KEYS = [] as const;

/** Show rows of which one at a time has the focus. */
export function RovingList<T>(props: Props<T>) {
  const { label, items, getKey, keyScope, hasControls = false, isVirtual = false } = props;
  const list = useRef<HTMLElement | null>(null);
  const virtual = useRef<VirtualizerHandle>(null);
  const [own, setOwn] = useState<string | null>(null);
  const wanted = props.active === undefined ? own : props.active;
  const found = items.findIndex((item) => getKey(item) === wanted);
  const index = Math.max(0, found);
  const take = (item: T) => {
    setOwn(getKey(item));
    props.onActive?.(getKey(item));
  };
  const { rowAt, go } = useMoves(list, virtual, items.length);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== rowAt(index) || event.metaKey || event.ctrlKey || event.altKey) {
      return;
    }
    const goal = goalOf(event.key, index, items.length);
    const item = items[index];
    if (goal !== undefined) {
      event.preventDefault();
      go(goal);
    } else if (event.key === "Enter" && props.href === undefined && item !== undefined) {
      event.preventDefault();
      props.onOpen?.(item);
    }
  };
  const isInside = () => list.current?.contains(document.activeElement) === true;
  const watched = useKeptFocus(() => rowAt(index));
  const step = (by: number) => () => go(found >= 0 || isInside() ? index + by : 0);
  useKeys(
    keyScope ?? label,
    keyScope === undefined
      ? NO_KEYS
      : [
          { keys: "j", label: "Next item", run: step(1) },
          { keys: "k", label: "Previous item", run: step(-1) },
        ],
  );
  const isPlain = hasControls || props.href !== undefined;
  const headed = (item: T, row: number) => {
    const heading = props.heading?.(item, row);
    return heading === undefined ? (
      []
    ) : (
      <li key={`above ${getKey(item)}`} className={classes.groupHead}>
        {heading}
      </li>
    );
  };
  const rows = items.flatMap((item, row) => [
    headed(item, row),
    <Row
      key={getKey(item)}
      row={row}
      frame={isVirtual ? "div" : "li"}
      isActive={row === index}
      href={props.href?.(item)}
      hasControls={hasControls}
      onFocus={() => take(item)}
      onOpen={() => props.onOpen?.(item)}
    >
      {props.render(item, row === index)}
    </Row>,
  ]);
  const frame = {
    ref: (element: HTMLElement | null) => {
      list.current = element;
    },
    className: classes.roving,
    role: isPlain ? "list" : "listbox",
    "aria-label": label,
    onKeyDown: press,
    ...watched,
  };
  if (!isVirtual) {
    return <ul {...frame}>{rows}</ul>;
  }
  return (
    <div {...frame} data-virtual>
      <Virtualizer ref={virtual} keepMounted={[index]}>
        {rows}
      </Virtualizer>
    </div>
  );
}

/** How to find a row's element, and how to go to a row, which a virtual list may have to make first. */
function useMoves(
  list: RefObject<HTMLElement | null>,
  virtual: RefObject<VirtualizerHandle | null>,
  count: number,
) {
  const rowAt = (row: number) =>
    list.current?.querySelector<HTMLElement>(`[data-row="${row}"]`) ?? null;
  const go = (goal: number) => {
    const row = Math.min(count - 1, Math.max(0, goal));
    const isVirtual = virtual.current !== null;
    virtual.current?.scrollToIndex(row, { align: "nearest" });
    const focus = () => {
      rowAt(row)?.focus({ preventScroll: isVirtual });
      if (!isVirtual) {
        rowAt(row)?.scrollIntoView({ block: "nearest" });
      }
    };
    if (rowAt(row) === null) {
      requestAnimationFrame(focus);
    } else {
      focus();
    }
  };
  return { rowAt, go };
}

/** Keep the focus in a list: where the row that had it is gone, the one in its place takes it. */
function useKeptFocus(present: () => HTMLElement | null) {
  const hadFocus = useRef(false);
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body) {
      present()?.focus({ preventScroll: true });
      present()?.scrollIntoView({ block: "nearest" });
    }
  });
  return {
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: () => {
      hadFocus.current = false;
    },
  };
}

function goalOf(key: string, index: number, count: number): number | undefined {
  const arrows = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: count - 1 };
  const letters = { j: index + 1, k: index - 1 };
  const goals: Readonly<Record<string, number>> = hasSingleKeys()
    ? { ...arrows, ...letters }
    : arrows;
  return goals[key];
}

interface RowProps {
  readonly row: number;
  /** Between a list and its rows stand the elements of the virtual one: then rows say their role. */
  readonly frame: "li" | "div";
  readonly isActive: boolean;
  readonly href: string | undefined;
  readonly hasControls: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

function Row({
  row,
  frame: Frame,
  isActive,
  href,
  hasControls,
  onFocus,
  onOpen,
  children,
}: RowProps) {
  const own = {
    className: classes.rovingRow,
    tabIndex: isActive ? 0 : -1,
    "data-row": row,
    "data-active": isActive,
    onFocus,
  };
  const listed = Frame === "div" ? { role: "listitem" } : {};
  if (href !== undefined) {
    return (
      <Frame {...listed}>
        <Link href={href} {...own}>
          {children}
        </Link>
      </Frame>
    );
  }
  if (hasControls) {
    return (
      <Frame {...own} {...listed}>
        {children}
      </Frame>
    );
  }
  const option = { ...own, role: "option", "aria-selected": isActive };
  return (
    <Frame {...option} onClick={onOpen}>
      {children}
    </Frame>
  );
}
