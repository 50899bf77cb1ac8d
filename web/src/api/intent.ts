/** What a person means to have done once; pure. */

/** Something said, and the id of the command that says it. */
export interface Intent {
  readonly text: string;
  readonly id: string;
}

/** Return the intent to say this: the last one as long as it is the same, else one of its own. */
export function intentFor(last: Intent | null, label: string, makeId: () => string): Intent {
  return last?.text === label ? last : { text: label, id: makeId() };
}

/**
 * Tell whether the engine has decided about a command, by the status of its refusal.
 *
 * Where it has not (no answer, or trouble of its own) the command may be carried out yet: sent
 * again it must be the same one.
 */
export function isDecided(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Return what is left of a field once `sent` is: what was typed while it was on its way. */
export function leftAfter(sent: string, present: string): string {
  return present.startsWith(sent) ? present.slice(sent.length).trimStart() : present;
}
