/** A long conversation in a window: virtual, follows at the end, and never moves what is being read. */

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
import type { LogView } from "@/api/events/log";
import type { AskItem, Item } from "@/conversation/projection/items";
import { ItemView } from "@/conversation/transcript/ItemView";
import { Opened, OpenedContext } from "@/conversation/transcript/open_items";
import classes from "@/conversation/transcript/transcript.module.css";
import { Failure } from "@/ui/Failure";

type Source = Omit<LogView<unknown>, "state">;

interface Props {
  readonly items: readonly Item[];
  /** Where the items come from: loads more of them at both ends, and lets go of them. */
  readonly log: Source;
  readonly renderOpen?: ((item: AskItem) => ReactNode) | undefined;
  /** Stands above all, in the same scroll. */
  readonly head: ReactNode;
  readonly foot: ReactNode;
}

/** So many entries are kept out of view on either side, once there are more than so many. */
const KEPT = 1000;
const MOST = 3000;
const NEAR_END = 32;
const NEAR = 600;
const INTENT_MS = 600;
const END = Number.MAX_SAFE_INTEGER;

/** Show items; more are loaded as the reader comes near the ends of what is there. */
export function Feed(props: Props) {
  const { items, log, renderOpen, head, foot } = props;
  const { hasOlder, isLoading, problem } = log;
  const box = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const opened = useMemo(() => new Opened(), []);
  const { isFollowing, seen, scrolled, intends, toEnd } = useFollowing(box, props);
  // Before its first measure the list has no place to keep: told of a shift then, it waits for a
  // scroll that never comes where all fits into the window, and draws nothing (virtua 0.54).
  const isMeasured = (list.current?.viewportSize ?? 0) > 0;
  const isShifted = usePrepended(items) && isMeasured;
  const fill = useFilling(box, log);
  useEffect(() => {
    const oldest = items.length > MOST ? items.at(-KEPT) : undefined;
    if (isFollowing && oldest !== undefined) {
      log.keep(oldest.position, END);
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
        <Failure problem={problem} onRetry={() => void log.loadOlder()} />
        {head}
        <OpenedContext value={opened}>
          <Virtualizer
            ref={list}
            data={items}
            shift={isShifted}
            bufferSize={400}
            onScroll={() => trim(list.current, items, log)}
          >
            {(item) => (
              <div key={item.key} className={classes.row} data-kind={item.kind}>
                {(item.kind === "ask" && renderOpen?.(item)) || <ItemView item={item} />}
              </div>
            )}
          </Virtualizer>
        </OpenedContext>
        {foot}
      </section>
      {isLoading && (hasOlder || log.until !== null) && (
        <div className={classes.loading}>
          <Loader size="xs" role="status" aria-label="Loading more entries" />
        </div>
      )}
      {!isFollowing && (
        <Button
          className={classes.pill}
          variant="filled"
          rightSection={<ArrowDown size={14} aria-hidden />}
          onClick={toEnd}
        >
          {fresh > 0 ? `${fresh} new` : "Jump to latest"}
        </Button>
      )}
    </div>
  );
}

/** Loads what is next to the ends of the items, as the reader comes near them. */
function useFilling(box: RefObject<HTMLDivElement | null>, log: Source): () => void {
  const { hasOlder, until, isLoading, problem, loadOlder, loadNewer } = log;
  const fill = useCallback(() => {
    const is = box.current;
    if (is === null || isLoading || problem !== null) {
      return;
    }
    if (hasOlder && is.scrollTop < NEAR) {
      void loadOlder();
    } else if (until !== null && is.scrollHeight - is.scrollTop - is.clientHeight < NEAR) {
      void loadNewer();
    }
  }, [box, hasOlder, until, isLoading, problem, loadOlder, loadNewer]);
  useEffect(fill, [fill]);
  return fill;
}

/** Let go of what is far out of view: it is loaded again when the reader comes near it. */
function trim(view: VirtualizerHandle | null, items: readonly Item[], log: Source): void {
  if (view === null || items.length <= MOST) {
    return;
  }
  const first = view.findItemIndex(view.scrollOffset);
  const last = view.findItemIndex(view.scrollOffset + view.viewportSize);
  const oldest = first > MOST ? items[first - KEPT] : undefined;
  const newest = items.length - last > MOST ? items[last + KEPT] : undefined;
  if (oldest !== undefined || newest !== undefined) {
    log.keep(oldest?.position ?? 0, newest?.position ?? END);
  }
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
function useFollowing(box: RefObject<HTMLDivElement | null>, { items, log, foot }: Props) {
  const isEnd = log.until === null;
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
    if (left <= NEAR_END && isEnd) {
      follow(true);
    } else if (isMeant && element.scrollTop < is.top) {
      follow(false);
    }
    is.top = element.scrollTop;
  }, [box, is, isEnd, follow]);
  const intends = useCallback(() => {
    is.intendedAt = performance.now();
  }, [is]);
  const toEnd = useCallback(() => {
    log.catchUp();
    follow(true);
    settle();
  }, [log, follow, settle]);
  return { isFollowing, seen, scrolled, intends, toEnd };
}
