/** Where a message mentions whoever reads it; pure. Who is mentioned is the engine's word: this only marks it. */

/** A piece of a message, and whether it is the reader's name. */
export interface Piece {
  readonly text: string;
  readonly isMe: boolean;
}

/** Cut a message at the places that name a person, as `@ann`. */
export function piecesOf(text: string, person: string): readonly Piece[] {
  if (person === "" || !text.includes(`@${person}`)) {
    return [{ text, isMe: false }];
  }
  const name = person.replace(/[.+]/g, "\\$&");
  const called = new RegExp(`(?<![\\p{L}\\p{N}_.@+/-])(@${name})(?![\\p{L}\\p{N}_/])`, "gu");
  return text
    .split(called)
    .map((piece, index) => ({ text: piece, isMe: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
