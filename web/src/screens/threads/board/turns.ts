/** One change of the queue after the other, and what is said where one is refused; pure. */

/** What becomes of an entry that is held back, or let go again. */
export type HeldOrNot = "held" | "released";

/** Say that the queue refused a change, and why. */
export function refusalWords(was: "moved" | HeldOrNot, why: string): string {
  return `Not ${was}: ${why}`;
}

/** Return what begins a piece of work once those before it are over, however they ended. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
