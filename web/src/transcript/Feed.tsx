/** A long talk in a window: virtual, follows at the end, and never moves what is being read. */

import { Button, Loader } from "@mantine/core";
import { ArrowDown } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { Problem } from "@/api/client";
import type { AskItem, Item } from "@/live/fold/items";
import { ItemView } from "@/transcript/ItemView";
import { Opened, OpenedContext } from "@/transcript/opened";
import classes from "@/transcript/transcript.module.css";
import { Failure } from "@/ui/Failure";

interface Props {
  readonly items: readonly Item[];
  readonly hasOlder: boolean;
  readonly isLoading: boolean;
  readonly problem: Problem | null;
  readonly loadOlder: () => Promise<unknown>;
  /** Lets go of what is older than a position. */
  readonly forget: (position: number) => void;
  readonly renderOpen?: ((item: AskItem) => ReactNode) | undefined;
  /** Stands above all, in the same scroll. */
  readonly head: ReactNode;
  readonly foot: ReactNode;
}

/** Who follows at the end keeps so many entries once there are more than so many. */
const KEPT = 1000;
const MOST = 3000;
const NEAR_END = 32;
const NEAR_TOP = 600;
const INTENT_MS = 600;

/** Show items; older ones are loaded as the reader comes near them. */
export function Feed(props: Props) {
  const { items, hasOlder, isLoading, problem, loadOlder, renderOpen, head, foot } = props;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const opened = useMemo(() => new Opened(), []);
  const { isFollowing, seen, scrolled, intends, toEnd } = useFollowing(box, items, foot);
  // Before its first measure the list has no place to keep: told of a shift then, it waits for a
  // scroll that never comes where all fits into the window, and draws nothing (virtua 0.54).
  const isMeasured = (list.current?.viewportSize ?? 0) > 0;
  const isShifted = usePrepended(items) && isMeasured;
  const fill = useCallback(() => {
    const is = box.current;
    if (is !== null && hasOlder && !isLoading && problem === null && is.scrollTop < NEAR_TOP) {
      void loadOlder();
    }
  }, [hasOlder, isLoading, problem, loadOlder]);
  useEffect(fill, [fill]);
  useEffect(() => {
    const oldest = items.length > MOST ? items.at(-KEPT) : undefined;
    if (isFollowing && oldest !== undefined) {
      props.forget(oldest.position);
    }
  });
  const fresh = isFollowing ? 0 : freshOf(items, seen);
  return (
    <div className={classes.frame}>
      <section
        ref={box}
        className={classes.feed}
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={() => {
          scrolled();
          fill();
        }}
        onWheel={intends}
        onTouchMove={intends}
        onPointerDown={intends}
        onKeyDown={intends}
      >
        <Failure problem={problem} onRetry={() => void loadOlder()} />
        {head}
        <OpenedContext value={opened}>
          <Virtualizer ref={list} data={items} shift={isShifted} bufferSize={400}>
            {(item) => (
              <div key={item.key} className={classes.row} data-kind={item.kind}>
                {(item.kind === "ask" && renderOpen?.(item)) || <ItemView item={item} />}
              </div>
            )}
          </Virtualizer>
        </OpenedContext>
        {foot}
      </section>
      {hasOlder && isLoading && (
        <div className={classes.loading}>
          <Loader size="xs" role="status" aria-label="Loading older entries" />
        </div>
      )}
      {!isFollowing && (
        <Button
          className={classes.pill}
          variant="filled"
          rightSection={<ArrowDown size={14} aria-hidden />}
          onClick={toEnd}
        >
          {fresh > 0 ? `${fresh} new` : "To the end"}
        </Button>
      )}
    </div>
  );
}

function freshOf(items: readonly Item[], seen: number): number {
  let count = 0;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    if ((items[index]?.position ?? 0) <= seen) {
      break;
    }
    count += 1;
  }
  return count;
}

/** Tell whether items came or went at the beginning since the last time they were drawn. */
function usePrepended(items: readonly Item[]): boolean {
  const before = useRef(items);
  const isPrepended = before.current.length > 0 && before.current[0]?.key !== items[0]?.key;
  useLayoutEffect(() => {
    before.current = items;
  });
  return isPrepended;
}

function hasSelection(box: HTMLElement): boolean {
  const selection = window.getSelection();
  return selection !== null && !selection.isCollapsed && box.contains(selection.anchorNode);
}

/** Keeps the end in view until the reader scrolls up, or has something selected. */
function useFollowing(
  box: RefObject<HTMLDivElement | null>,
  items: readonly Item[],
  foot: ReactNode,
) {
  const [isFollowing, setFollowing] = useState(true);
  const [seen, setSeen] = useState(0);
  const is = useRef({ isFollowing: true, top: 0, intendedAt: 0 }).current;
  const newest = useRef(0);
  newest.current = items.at(-1)?.position ?? 0;
  const follow = useCallback(
    (isWanted: boolean) => {
      if (is.isFollowing !== isWanted) {
        is.isFollowing = isWanted;
        setFollowing(isWanted);
        setSeen(newest.current);
      }
    },
    [is],
  );
  const settle = useCallback(() => {
    const element = box.current;
    if (element !== null && is.isFollowing && !hasSelection(element)) {
      element.scrollTop = element.scrollHeight;
    }
  }, [box, is]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new at the end is what moves it
  useLayoutEffect(settle, [items, foot, settle]);
  useEffect(() => {
    const watch = new ResizeObserver(settle);
    const element = box.current;
    for (const child of element === null ? [] : [element, ...element.children]) {
      watch.observe(child);
    }
    return () => watch.disconnect();
  }, [box, settle]);
  const scrolled = useCallback(() => {
    const element = box.current;
    if (element === null) {
      return;
    }
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    const isMeant = performance.now() - is.intendedAt < INTENT_MS;
    if (left <= NEAR_END) {
      follow(true);
    } else if (isMeant && element.scrollTop < is.top) {
      follow(false);
    }
    is.top = element.scrollTop;
  }, [box, is, follow]);
  const intends = useCallback(() => {
    is.intendedAt = performance.now();
  }, [is]);
  const toEnd = useCallback(() => {
    follow(true);
    settle();
  }, [follow, settle]);
  return { isFollowing, seen, scrolled, intends, toEnd };
}
