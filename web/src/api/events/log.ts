/**
 * The events of one stream outside React: the newest page by REST, others on demand, then live.
 *
 * What is held is one run of events without a gap. Either of its ends may be let go and read again;
 * as long as its newest end is away, events that come live only tell how the stream stands now.
 */

import { api, body, Problem } from "@/api/client";
import { follow, seenOn } from "@/api/events/connection";
import { isOfTopic, type JournaledEvent, type LiveEvent, topicOf } from "@/api/events/topics";

const PAGE = 300;
/** Each older page has all events folded again, so those are as large as the API gives them. */
const FURTHER_PAGE = 1000;
const FLUSH_MS = 80;
const HIDDEN_FLUSH_MS = 500;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** A pure fold of events: the same events give the same state, however they are cut into batches. */
export interface Fold<S> {
  readonly empty: S;
  readonly add: (state: S, events: readonly JournaledEvent[]) => S;
  /** The state without what is older than a position; a fold without it keeps no such things. */
  readonly cut?: (state: S, position: number) => S;
  /** Earlier events' state, with what the newest say of now; without it the newest are never let go. */
  readonly past?: (earlier: S, newest: S) => S;
  /** So many of the newest events are all that it is ever read for; without it all are kept. */
  readonly keeps?: number;
}

/** What a reader sees of a log. */
export interface LogView<S> {
  readonly state: S;
  readonly isLoading: boolean;
  readonly hasOlder: boolean;
  /** The position up to which events are held where newer ones were let go; null where none were. */
  readonly until: number | null;
  readonly problem: Problem | null;
  readonly loadOlder: () => Promise<boolean>;
  readonly loadNewer: () => Promise<boolean>;
  /** Let go of what is not from one position to another: it can be loaded again. */
  readonly keep: (from: number, to: number) => void;
  /** Go back to the newest events, where they were let go. */
  readonly catchUp: () => void;
}

/** The events of a stream, or of a thread or run with all below; folded as they come. */
export class Log<S> {
  #events: JournaledEvent[] = [];
  #folded: S;
  /** What the newest events say of now, as long as they are not held themselves. */
  #newest: S | null = null;
  /** All events up to here are held, as long as the newest are not. */
  #until = 0;
  #waiting: JournaledEvent[] = [];
  /** What came live while a newer page was read. */
  #missed: JournaledEvent[] = [];
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
    this.#folded = fold.empty;
    this.#view = {
      state: fold.empty,
      isLoading: true,
      hasOlder: false,
      until: null,
      problem: null,
      loadOlder: () => this.loadOlder(),
      loadNewer: () => this.loadNewer(),
      keep: (from, to) => this.keep(from, to),
      catchUp: () => void this.catchUp(),
    };
  }

  readonly watch = (notify: () => void): (() => void) => {
    this.#watchers.add(notify);
    return () => this.#watchers.delete(notify);
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
    this.#unfollow();
  }

  #unfollow(): void {
    this.#stop?.();
    this.#stop = null;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Load the page before the oldest event; tells whether it came. One at a time is loaded. */
  loadOlder(): Promise<boolean> {
    return this.#before === null ? Promise.resolve(true) : this.#load(() => this.#readOlder());
  }

  /** Load the page after the newest event that is held, where newer ones were let go. */
  loadNewer(): Promise<boolean> {
    return this.#newest === null ? Promise.resolve(true) : this.#load(() => this.#readNewer());
  }

  /** Let go of what is not from one position to another, unless events are just being loaded. */
  keep(from: number, to: number): void {
    const end = this.#fold.past === undefined ? NEWEST : to;
    const saved = this.#events.filter(({ position }) => position >= from && position <= end);
    if (this.#loading !== null || saved.length === 0 || saved.length === this.#events.length) {
      return;
    }
    const isCutBefore = saved[0] !== this.#events[0];
    if (saved.at(-1) === this.#events.at(-1)) {
      this.#folded = this.#fold.cut?.(this.#folded, from) ?? this.#folded;
    } else {
      this.#newest ??= this.#bare(this.#folded);
      this.#until = to;
      this.#folded = this.#fold.add(this.#fold.empty, saved); // parts of what is kept came later
    }
    this.#events = saved;
    this.#before = isCutBefore ? from : this.#before;
    this.#show({ hasOlder: this.#before !== null });
  }

  /** Go back to the newest events, where they were let go. */
  async catchUp(): Promise<void> {
    if (this.#newest !== null) {
      await this.#startOver();
    }
  }

  #load(read: () => Promise<void>): Promise<boolean> {
    this.#loading ??= this.#tried(read).finally(() => {
      this.#loading = null;
      this.#missed = [];
    });
    return this.#loading;
  }

  async #tried(read: () => Promise<void>): Promise<boolean> {
    this.#show({ isLoading: true });
    try {
      await read();
      this.#show({ isLoading: false, problem: null, hasOlder: this.#before !== null });
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      this.#show({ isLoading: false, problem: error });
      return false;
    }
  }

  async #readOlder(): Promise<void> {
    const before = this.#before ?? 0;
    const limit = this.#events.length === 0 ? PAGE : FURTHER_PAGE;
    const page = await body(this.#page({ before, limit }));
    this.#before = page.before ?? null;
    this.#events = [...page.events, ...this.#events];
    this.#folded = this.#fold.add(this.#fold.empty, this.#events);
  }

  async #readNewer(): Promise<void> {
    const { events } = await body(this.#page({ after: this.#until, limit: FURTHER_PAGE }));
    const end = this.#at ?? NEWEST;
    const isWhole = events.length < FURTHER_PAGE || (events.at(-1)?.position ?? 0) > end;
    this.#hold(events.filter(({ position }) => position <= end));
    this.#until = events.at(-1)?.position ?? this.#until;
    if (isWhole) {
      this.#newest = null;
      this.#hold(this.#missed);
    }
  }

  /** Fold what follows on what is held; what is held already is passed over. */
  #hold(events: readonly JournaledEvent[]): void {
    const last = this.#events.at(-1)?.position ?? 0;
    const fresh = events.filter(({ position }) => position > last);
    for (const journaled of fresh) {
      this.#events.push(journaled);
    }
    this.#folded = this.#fold.add(this.#folded, fresh);
  }

  #state(): S {
    const { past } = this.#fold;
    return this.#newest === null || past === undefined
      ? this.#folded
      : past(this.#folded, this.#newest);
  }

  /** What a state says of now, without what it holds of the past. */
  #bare(state: S): S {
    return this.#fold.cut?.(state, Number.POSITIVE_INFINITY) ?? state;
  }

  #page(query: { readonly before?: number; readonly after?: number; readonly limit: number }) {
    const all = this.stream === null ? query : { ...query, stream: this.stream };
    return this.top.startsWith("flow-")
      ? api.GET("/v1/flow-runs/{run}/events", { params: { path: { run: this.top }, query: all } })
      : api.GET("/v1/threads/{thread}/events", {
          params: { path: { thread: this.top }, query: all },
        });
  }

  #take(live: LiveEvent): void {
    if (live.name === "reset") {
      void this.#startOver();
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
    if (this.#newest === null) {
      this.#hold(fresh);
    } else {
      this.#newest = this.#bare(this.#fold.add(this.#newest, fresh));
      this.#missed.push(...(this.#loading === null ? [] : fresh));
    }
    this.#show({});
    const { keeps } = this.#fold;
    if (keeps !== undefined && this.#events.length > 2 * keeps) {
      this.keep(this.#events.at(-keeps)?.position ?? 0, NEWEST);
    }
  }

  /** Begin again with the newest page, once a page that is being read has come. */
  async #startOver(): Promise<void> {
    this.#unfollow();
    await this.#loading;
    if (this.#isOn) {
      this.#events = [];
      this.#newest = null;
      this.#waiting = [];
      this.#before = this.#at === null ? NEWEST : this.#at + 1;
      await this.start();
    }
  }

  #show(change: Partial<LogView<S>>): void {
    const until = this.#newest === null ? null : this.#until;
    this.#view = { ...this.#view, state: this.#state(), until, ...change };
    for (const report of this.#watchers) {
      report();
    }
  }
}
