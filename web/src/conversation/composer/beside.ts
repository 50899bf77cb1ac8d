/** What is kept beside the draft of a message, under its name: its files, and what was not confirmed. */

/** The ends of the names. */
export const BESIDE = [".files", ".unconfirmed"] as const;
