/** How a host stands, what can be decided about it, and what each decision does, in words; pure. */

import type { Schemas } from "@/api/client";
import { plural } from "../../format.ts";

type Host = Schemas["HostView"];

/** What a person decides about a host. */
export type Decision = Schemas["HostDecision"];

/** Return a host's state as a word, and the status whose shape it has. */
export function standingOf(
  host: Pick<Host, "state" | "silent" | "drain">,
): Readonly<{ status: string; word: string }> {
  if (host.state === "lost") {
    return { status: "failed", word: "lost" };
  }
  if (host.drain?.drained) {
    return { status: "paused", word: "drained" };
  }
  if (host.silent) {
    return { status: "blocked", word: host.state === "up" ? "silent" : `${host.state}, silent` };
  }
  if (host.drain) {
    return { status: "paused", word: leftOf(host.drain) };
  }
  return { status: host.state === "up" ? "passed" : "paused", word: host.state };
}

/** Say what a host that drains still waits for, as `treadle hosts` does. */
function leftOf(drain: NonNullable<Host["drain"]>): string {
  return drain.is_answering
    ? `draining: ${drain.at_work.length} at work, ${drain.moving.length} to move`
    : "draining: its worker has not answered yet";
}

const DECISIONS: Readonly<Record<Host["state"], readonly Decision[]>> = {
  up: ["cordon", "drain", "lost"],
  cordoned: ["uncordon", "drain", "lost"],
  draining: ["uncordon", "lost"],
  lost: ["uncordon"],
};

/** Return what can be decided about a host as it stands. */
export function decisionsOf({ state }: Pick<Host, "state">): readonly Decision[] {
  return DECISIONS[state];
}

/** Each decision's button. */
export const LABELS: Readonly<Record<Decision, string>> = {
  cordon: "Cordon",
  uncordon: "Uncordon",
  drain: "Drain",
  lost: "Declare lost",
};

/** Ask whether a decision is meant, and say what it does. */
export function questionOf(decision: Decision, name: string): string {
  switch (decision) {
    case "cordon":
      return `Cordon ${name}? It gets no new threads, and what is there goes on.`;
    case "uncordon":
      return `Uncordon ${name}? It gets threads again.`;
    case "drain":
      return `Drain ${name}? It gets no new threads, and what can move goes on at other hosts once its turns have ended.`;
    case "lost":
      return `Declare ${name} lost? Its worker is refused, and work that is copied to a hub goes on at another host.`;
  }
}

/** Say how much is there and at work. */
export function loadOf(host: Pick<Host, "turns" | "slots" | "threads">): string {
  return `${host.turns} at work, ${plural(host.slots, "slot")}, ${plural(host.threads.length, "thread")}`;
}

/** Tell whether somebody may decide about hosts: an admin of the whole server. */
export function mayDecide(me: Pick<Schemas["Me"], "roles"> | undefined): boolean {
  return me?.roles["*"] === "admin";
}

/** Return when the last heartbeat came; null where the worker was stopped or never started. */
export function heartbeatAt(host: Pick<Host, "silent_seconds">, readAt: number): string | null {
  const age = host.silent_seconds ?? null;
  return age === null ? null : new Date(readAt - age * 1000).toISOString();
}

/** Name what is to be fetched again when it changes: which hosts are silent, since which minute, with how much. */
export function silenceKey(hosts: readonly Host[]): string {
  return hosts
    .filter(({ silent }) => silent)
    .map(({ host, state, threads, silent_seconds: age }) =>
      [host, state, threads.length, Math.floor((age ?? 0) / 60)].join(),
    )
    .join(";");
}
