/** What the person may do: their role in a project, and why a control is off. Pure. */

import type { Schemas } from "@/api/client";

/** A role, each with all that those before it may. */
export type Role = Schemas["Role"];

type Me = Schemas["Me"];

/** The project of what belongs to the server. */
export const SERVER = "*";

/** What may be of any project: the highest role counts. */
export const ANY = "";

const ORDER: readonly Role[] = ["none", "viewer", "proposer", "author", "approver", "admin"];

/** Return the role in a project; null where the page does not know yet. */
export function roleIn(me: Me | undefined, project: string): Role | null {
  if (me === undefined) {
    return null;
  }
  if (project === ANY) {
    return me.role;
  }
  if (project === SERVER) {
    return me.roles[SERVER] ?? "none";
  }
  // a project that is newer than the answer is missing from it
  return me.roles[project] ?? me.roles[SERVER] ?? null;
}

/**
 * Return why a person may not do what needs a role; empty where they may, or nobody knows yet.
 *
 * It is a courtesy: the engine refuses whatever the page offers.
 */
export function lackOf(me: Me | undefined, project: string, needed: Role): string {
  const held = roleIn(me, project);
  if (held === null || ORDER.indexOf(held) >= ORDER.indexOf(needed)) {
    return "";
  }
  return `${standing(held, project)}. This needs the role ${needed}.`;
}

function standing(held: Role, project: string): string {
  const where = { [SERVER]: "of this server", [ANY]: "here" }[project] ?? "of this project";
  return held === "none"
    ? `You have no role ${where.replace("of", "on")}`
    : `You are ${articled(held)} ${where}`;
}

function articled(role: Role): string {
  return `${"aeiou".includes(role[0] ?? "") ? "an" : "a"} ${role}`;
}
