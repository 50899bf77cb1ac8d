/**
 * One connection per browser: the tab that holds a lock reads the stream and tells the others.
 *
 * Over HTTP/1.1 a browser opens six connections to a host, so one stream a tab would hang the
 * seventh. Locks exist in secure contexts only, and loopback is one; elsewhere each tab connects
 * for itself.
 */

import { useEffect, useRef } from "react";
import {
  type Connectivity,
  getConnectivity,
  noteSignedOut,
  setConnectivity,
  watchConnectivity,
} from "@/api/connectivity";
import { Stream } from "@/api/events/stream";
import { mergeSubscriptions, planConnection, type Subscriptions } from "@/api/events/subscriptions";
import { isKnown, isOfTopic, type LiveEvent, topicOf } from "@/api/events/topics";

const LEADER = "treadle-stream";
const CHANNEL = "treadle-live";
const HEARTBEAT_MS = 5_000;
/** So many beats of the tab that reads are missed before another tab reads in its place. */
const MOST_MISSED = 4;

type Message =
  | { kind: "want"; tab: string; wanted: Subscriptions }
  | { kind: "hello" }
  | { kind: "retry" }
  | { kind: "heartbeat" }
  | { kind: "event"; live: LiveEvent }
  | { kind: "connectivity"; connectivity: Connectivity };

interface Reader {
  readonly topic: string;
  position: number;
  readonly receive: (live: LiveEvent) => void;
}

const tab = crypto.randomUUID();
const readers = new Set<Reader>();
const tabs = new Map<string, Subscriptions>();
/** The latest event that each topic of a stream has brought; lists are read whole, so not theirs. */
const latest = new Map<string, number>();
const channel = "locks" in navigator ? new BroadcastChannel(CHANNEL) : null;
let stream: Stream | null = null;
let present: ReadonlySet<string> = new Set();
let missed = 0;
let isStarted = false;

function ownSubscriptions(): Subscriptions {
  return mergeSubscriptions([...readers].map((reader) => ({ [reader.topic]: reader.position })));
}

/** Hand an event to the readers of this tab: each gets it once, in order. */
function deliver(live: LiveEvent): void {
  for (const reader of [...readers]) {
    if (!isOfTopic(reader.topic, live) || isKnown(live, reader.position)) {
      continue;
    }
    reader.position = live.position;
    reader.receive(live);
  }
}

function announce(): void {
  const subscriptions = ownSubscriptions();
  tabs.set(tab, subscriptions);
  channel?.postMessage({ kind: "want", tab, wanted: subscriptions } satisfies Message);
  connect(subscriptions);
}

function connect(fresh: Subscriptions): void {
  const plan =
    stream &&
    planConnection(mergeSubscriptions(tabs.values()), present, stream.cursor, fresh, latest);
  if (stream && plan) {
    present = new Set(plan.topics);
    stream.open(plan);
  }
}

async function isSignedOut(): Promise<boolean> {
  const answer = await fetch("/v1/threads?limit=1").catch(() => null);
  if (answer?.status !== 401) {
    return false;
  }
  noteSignedOut();
  return true;
}

/** Read for all tabs from now on; the promise is kept for as long as the tab lives. */
function lead(): Promise<never> {
  stream = new Stream((live) => {
    if (live.journaled !== null) {
      const topic = topicOf(live.journaled.event.stream);
      latest.set(topic, Math.max(live.position, latest.get(topic) ?? 0));
    }
    channel?.postMessage({ kind: "event", live } satisfies Message);
    deliver(live);
  }, isSignedOut);
  channel?.postMessage({ kind: "hello" } satisfies Message);
  announce();
  return new Promise(() => undefined);
}

/** Another tab reads now: this one had been asleep. */
function resign(): void {
  stream?.close();
  stream = null;
  present = new Set();
}

/** Wait until the tab that reads is closed, then read; robbed of that, wait again. */
function queueForLead(): void {
  navigator.locks.request(LEADER, lead).catch(() => {
    resign();
    queueForLead();
  });
}

/** Read in place of a tab that sleeps; robbed in turn, its place in the queue is still there. */
function stealLead(): void {
  navigator.locks.request(LEADER, { steal: true }, lead).catch(resign);
}

/** The tab that reads says every few seconds that it is awake; the others miss it. */
function sendHeartbeat(): void {
  if (stream !== null) {
    channel?.postMessage({ kind: "heartbeat" } satisfies Message);
    return;
  }
  missed += 1;
  if (missed >= MOST_MISSED) {
    missed = 0;
    stealLead();
  }
}

function shareConnectivity(): void {
  if (stream !== null) {
    channel?.postMessage({
      kind: "connectivity",
      connectivity: getConnectivity(),
    } satisfies Message);
  }
}

function receive(message: Message): void {
  if (message.kind !== "want" && message.kind !== "retry") {
    missed = 0; // the others are what the tab that reads says
  }
  switch (message.kind) {
    case "want":
      if (stream && !tabs.has(message.tab)) {
        acceptReader();
        void forgetOnceGone(message.tab);
      }
      tabs.set(message.tab, message.wanted);
      connect(message.wanted);
      break;
    case "heartbeat":
      break;
    case "hello":
      announce();
      break;
    case "retry":
      stream?.retry();
      break;
    case "event":
      deliver(message.live);
      break;
    case "connectivity":
      setConnectivity(message.connectivity);
      break;
  }
}

/** A tab is new: tell it the state of the connection. If that is signed out, it has just signed in. */
function acceptReader(): void {
  shareConnectivity();
  if (getConnectivity().state === "signed_out") {
    stream?.retry();
  }
}

/** Each tab holds a lock of its own for as long as it lives. */
async function forgetOnceGone(other: string): Promise<void> {
  await navigator.locks.request(`${CHANNEL}-${other}`, () => tabs.delete(other));
}

function start(): void {
  isStarted = true;
  if (channel === null) {
    setConnectivity({ isAlone: true });
    void lead();
  } else {
    channel.onmessage = (event: MessageEvent<Message>) => receive(event.data);
    void navigator.locks.request(`${CHANNEL}-${tab}`, () => new Promise(() => undefined));
    watchConnectivity(shareConnectivity);
    queueForLead();
    window.setInterval(sendHeartbeat, HEARTBEAT_MS);
  }
  window.addEventListener("online", reconnect);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && getConnectivity().state !== "live") {
      reconnect();
    }
  });
}

/** Tell whether this is the tab that reads for all: what is to happen once in a browser, it does. */
export function isReading(): boolean {
  return stream !== null;
}

/** Try to connect now. */
export function reconnect(): void {
  stream?.retry();
  channel?.postMessage({ kind: "retry" } satisfies Message);
}

/**
 * Read a topic from a position on; returns how to stop.
 *
 * Events up to `after` are dropped, so a snapshot and what follows meet without gap or repeat.
 */
export function follow(
  topic: string,
  after: number,
  receive: (live: LiveEvent) => void,
): () => void {
  const reader: Reader = { topic, position: after, receive };
  readers.add(reader);
  if (!isStarted) {
    start();
  }
  announce();
  return () => {
    readers.delete(reader);
    announce();
  };
}

/** Return how far this tab has read a topic: what is fetched from now on is at least as new. */
export function seenOn(topic: string): number {
  return Math.max(0, ...[...readers].filter((r) => r.topic === topic).map((r) => r.position));
}

/** Follow a topic while a component is there; null as `after` waits for the snapshot. */
export function useTopic(
  topic: string,
  after: number | null,
  receive: (live: LiveEvent) => void,
): void {
  const newest = useRef(receive);
  newest.current = receive;
  const isReady = after !== null;
  const from = useRef(after);
  from.current = after;
  useEffect(() => {
    if (!isReady) {
      return;
    }
    return follow(topic, from.current ?? 0, (live) => newest.current(live));
  }, [topic, isReady]);
}
