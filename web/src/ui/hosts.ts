/** How hosts are offered and named; pure. */

import type { Schemas } from "@/api/client";

type Host = Pick<Schemas["HostView"], "host" | "name" | "state">;

/** A host to choose: its id, and what it is called. */
export interface HostChoice {
  readonly value: string;
  readonly label: string;
}

/** Return the id of a chosen host, which may be given by a name that one host alone has. */
export function hostIdOf(hosts: readonly Host[], chosen: string): string {
  if (hosts.some(({ host }) => host === chosen)) {
    return chosen;
  }
  const [found, ...others] = hosts.filter(({ name }) => name === chosen);
  return found !== undefined && others.length === 0 ? found.host : chosen;
}

/** Return what a host is called: its name, with its id where two have that name. */
export function hostNameOf(hosts: readonly Host[], chosen: string): string {
  const id = hostIdOf(hosts, chosen);
  const name = hosts.find(({ host }) => host === id)?.name ?? chosen;
  const isShared = hosts.filter((each) => each.name === name).length > 1;
  return isShared && name !== id ? `${name} (${id})` : name;
}

/** Say where what is trusted runs, as in `runs on your machine`. */
export function placeOfRun(hosts: readonly Host[], chosen: string): string {
  if (chosen !== "") {
    return `on host ${hostNameOf(hosts, chosen)}`;
  }
  return hosts.length > 1 ? "on the host that does the work" : "on your machine";
}

/** Return the hosts to choose from: those that are not lost, and the chosen one whatever it is. */
export function hostChoices(hosts: readonly Host[], chosen: string): readonly HostChoice[] {
  const there = hosts.filter(({ state }) => state !== "lost").map(({ host }) => host);
  const ids = new Set([...there, ...(chosen === "" ? [] : [hostIdOf(hosts, chosen)])]);
  return [...ids].map((value) => ({ value, label: hostNameOf(hosts, value) }));
}
