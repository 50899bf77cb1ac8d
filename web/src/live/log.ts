/** The events of one stream outside React: the newest page by REST, older ones on demand, then live. */

import { useEffect, useMemo, useSyncExternalStore } from "react";
import { api, body, Problem } from "@/api/client";
import { follow, seenOn } from "@/live/connection";
import { isOfTopic, type JournaledEvent, type LiveEvent, topicOf } from "@/live/topics";

const PAGE = 300;
/** Each older page has all events folded again, so those are as large as the API gives them. */
const OLDER_PAGE = 1000;
const FLUSH_MS = 80;
const HIDDEN_FLUSH_MS = 500;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** A pure fold of events: the same events give the same state, however they are cut into batches. */
export interface Fold<S> {
  readonly empty: S;
  readonly add: (state: S, events: readonly JournaledEvent[]) => S;
  /** The state without what is older than a position; a fold without it keeps no such things. */
  readonly cut?: (state: S, position: number) => S;
  /** So many of the newest events are all that it is ever read for; without it all are kept. */
  readonly keeps?: number;
}

/** What a reader sees of a log. */
export interface LogView<S> {
  readonly state: S;
  readonly isLoading: boolean;
  readonly hasOlder: boolean;
  readonly problem: Problem | null;
  readonly loadOlder: () => Promise<boolean>;
  /** Let go of what is older than a position: it can be loaded again. */
  readonly forget: (position: number) => void;
}

/** The events of a stream, or of a thread or run with all below; folded as they come. */
export class Log<S> {
  #events: JournaledEvent[] = [];
  #waiting: JournaledEvent[] = [];
  #before: number | null = NEWEST;
  #loading: Promise<boolean> | null = null;
  #isOn = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop: (() => void) | null = null;
  #view: LogView<S>;
  readonly #watchers = new Set<() => void>();

  readonly top: string;
  readonly stream: string | null;
  readonly #fold: Fold<S>;
  readonly #at: number | null;

  /** `stream` is one exact stream of the thread or run `top`; null is all of it. */
  constructor(top: string, stream: string | null, fold: Fold<S>, at: number | null) {
    this.top = top;
    this.stream = stream;
    this.#fold = fold;
    this.#at = at;
    this.#before = at === null ? NEWEST : at + 1;
    this.#view = {
      state: fold.empty,
      isLoading: true,
      hasOlder: false,
      problem: null,
      loadOlder: () => this.loadOlder(),
      forget: (position) => this.forget(position),
    };
  }

  readonly watch = (tell: () => void): (() => void) => {
    this.#watchers.add(tell);
    return () => this.#watchers.delete(tell);
  };

  readonly view = (): LogView<S> => this.#view;

  /** Load the newest page and follow from there. */
  async start(): Promise<void> {
    this.#isOn = true;
    await null; // those who show the same thread listen by then
    const seen = seenOn(topicOf(this.top));
    const loaded = await this.loadOlder();
    if (loaded && this.#isOn && this.#at === null && this.#stop === null) {
      const after = Math.max(seen, this.#events.at(-1)?.position ?? 0);
      this.#stop = follow(topicOf(this.top), after, (live) => this.#take(live));
    }
  }

  /** Stop following. */
  stop(): void {
    this.#isOn = false;
    this.#stop?.();
    this.#stop = null;
    clearTimeout(this.#timer);
  }

  /** Load the page before the oldest event; tells whether it came. One at a time is loaded. */
  loadOlder(): Promise<boolean> {
    this.#loading ??= this.#loadPage().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** Let go of what is older than a position, unless older events are just being loaded. */
  forget(position: number): void {
    const kept = this.#events.filter((journaled) => journaled.position >= position);
    if (this.#loading !== null || kept.length === this.#events.length) {
      return;
    }
    this.#events = kept;
    this.#before = position;
    const { state } = this.#view;
    this.#show({ state: this.#fold.cut?.(state, position) ?? state, hasOlder: true });
  }

  async #loadPage(): Promise<boolean> {
    if (this.#before === null) {
      return true;
    }
    this.#show({ isLoading: true });
    try {
      const page = await body(this.#page(this.#before));
      this.#before = page.before ?? null;
      this.#events = [...page.events, ...this.#events];
      const state = this.#fold.add(this.#fold.empty, this.#events);
      this.#show({ state, isLoading: false, problem: null, hasOlder: this.#before !== null });
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      this.#show({ isLoading: false, problem: error });
      return false;
    }
  }

  #page(before: number) {
    const limit = this.#events.length === 0 ? PAGE : OLDER_PAGE;
    const query = { before, limit, ...(this.stream === null ? {} : { stream: this.stream }) };
    return this.top.startsWith("flow-")
      ? api.GET("/v1/flow-runs/{run}/events", { params: { path: { run: this.top }, query } })
      : api.GET("/v1/threads/{thread}/events", { params: { path: { thread: this.top }, query } });
  }

  #take(live: LiveEvent): void {
    if (live.name === "reset") {
      this.#startOver();
      return;
    }
    const journaled = live.journaled;
    if (journaled === null || !isOfTopic(topicOf(this.top), live)) {
      return;
    }
    if (this.stream !== null && journaled.event.stream !== this.stream) {
      return;
    }
    this.#waiting.push(journaled);
    this.#timer ??= setTimeout(() => this.#flush(), document.hidden ? HIDDEN_FLUSH_MS : FLUSH_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    const fresh = this.#waiting;
    this.#waiting = [];
    for (const journaled of fresh) {
      this.#events.push(journaled);
    }
    this.#show({ state: this.#fold.add(this.#view.state, fresh) });
    const { keeps } = this.#fold;
    if (keeps !== undefined && this.#events.length > 2 * keeps) {
      this.forget(this.#events.at(-keeps)?.position ?? 0);
    }
  }

  #startOver(): void {
    this.stop();
    this.#timer = undefined;
    this.#events = [];
    this.#waiting = [];
    this.#before = NEWEST;
    void this.start();
  }

  #show(change: Partial<LogView<S>>): void {
    this.#view = { ...this.#view, ...change };
    for (const tell of this.#watchers) {
      tell();
    }
  }
}

/** Read a stream with a fold while a component is there; with `at` as it was at that position. */
export function useLog<S>(
  top: string,
  stream: string | null,
  fold: Fold<S>,
  at: number | null = null,
): LogView<S> {
  const log = useMemo(() => new Log(top, stream, fold, at), [top, stream, fold, at]);
  useEffect(() => {
    void log.start();
    return () => log.stop();
  }, [log]);
  return useSyncExternalStore(log.watch, log.view);
}
