/** One EventSource with a supervisor: browsers give up on any error, this does not. */

import { setConnectivity } from "@/api/connectivity";
import { type ConnectionPlan, pauseBefore } from "@/api/events/subscriptions";
import type { JournaledEvent, LiveEvent } from "@/api/events/topics";

const NAMES = ["journal", "inbox", "threads", "queue", "reset"] as const;
const SETTLED_MS = 400;
/** The engine sends a ping every 5 s: when four looks have heard nothing, nobody is there. */
const LOOK_MS = 5_000;
const MOST_SILENT_LOOKS = 4;

/** Keeps one stream open from a cursor on, and says how it stands. */
export class Stream {
  cursor = 0;
  #source: EventSource | null = null;
  #topics: readonly string[] = [];
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #settled: ReturnType<typeof setTimeout> | undefined;
  #looking: ReturnType<typeof setInterval> | undefined;
  #silentLooks = 0;
  #wasLive = false;
  #caughtUp = 0;
  readonly #receive: (live: LiveEvent) => void;
  readonly #isSignedOut: () => Promise<boolean>;

  constructor(receive: (live: LiveEvent) => void, isSignedOut: () => Promise<boolean>) {
    this.#receive = receive;
    this.#isSignedOut = isSignedOut;
  }

  /** Connect for these topics, after this position. */
  open(plan: ConnectionPlan): void {
    this.#topics = plan.topics;
    this.cursor = plan.after;
    this.#connect();
  }

  /** Try again now: the machine woke up, the network came back, or the person asked. */
  retry(): void {
    if (this.#topics.length > 0) {
      this.#connect();
    }
  }

  /** Close for good. */
  close(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#looking);
    this.#source?.close();
    this.#source = null;
  }

  #connect(): void {
    this.close();
    const query = new URLSearchParams({
      topics: this.#topics.join(","),
      after: String(this.cursor),
    });
    const source = new EventSource(`/v1/stream?${query}`);
    this.#source = source;
    source.onopen = () => this.#opened();
    source.onerror = () => void this.#failed(source);
    source.addEventListener("ping", (message) => this.#passOver(message));
    this.#noteMessage();
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    for (const name of NAMES) {
      source.addEventListener(name, (message) => this.#take(name, message));
    }
  }

  /** Nothing was for us up to here: what is asked for next begins no earlier. */
  #passOver(ping: MessageEvent<string>): void {
    this.#noteMessage();
    this.cursor = Math.max(this.cursor, Number(ping.lastEventId) || 0);
  }

  /** Note that the engine has said something. */
  #noteMessage(): void {
    this.#silentLooks = 0;
  }

  /**
   * Miss the engine: one that hangs breaks no connection, and neither does a network that is gone.
   *
   * Looks are counted, not the clock, which jumps where the machine has slept.
   */
  #look(): void {
    this.#silentLooks += 1;
    if (this.#silentLooks >= MOST_SILENT_LOOKS) {
      this.#lose();
    }
  }

  #opened(): void {
    this.#noteMessage();
    this.#tries = 0;
    this.#caughtUp = 0;
    setConnectivity({ state: "live", tries: 0, nextAt: null, caughtUp: 0 });
    this.#settle();
  }

  #take(name: LiveEvent["name"], message: MessageEvent<string>): void {
    this.#noteMessage();
    const data: unknown = JSON.parse(message.data);
    const position = Number(message.lastEventId) || this.cursor;
    this.cursor = name === "reset" ? position : Math.max(this.cursor, position);
    const journaled = name === "journal" ? (data as JournaledEvent) : null;
    if (this.#settled !== undefined && this.#wasLive) {
      this.#caughtUp += 1;
      this.#settle();
    }
    this.#receive({ name, position, journaled, data });
  }

  /** Call it caught up once nothing has come for a moment. */
  #settle(): void {
    clearTimeout(this.#settled);
    this.#settled = setTimeout(() => {
      this.#settled = undefined;
      this.#wasLive = true;
      setConnectivity({ caughtUp: this.#caughtUp, lastEventAt: Date.now() });
    }, SETTLED_MS);
  }

  async #failed(source: EventSource): Promise<void> {
    if (source === this.#source) {
      this.#lose();
      if (await this.#isSignedOut()) {
        this.close();
      }
    }
  }

  /** Let go of a connection that is of no use, say so, and try again after a pause. */
  #lose(): void {
    this.close();
    this.#tries += 1;
    const pause = pauseBefore(this.#tries);
    setConnectivity({
      state: this.#tries > 3 ? "offline" : "reconnecting",
      tries: this.#tries,
      nextAt: Date.now() + pause,
    });
    this.#timer = setTimeout(() => this.#connect(), pause);
  }
}
