/** Where a terminal's output is read from, and how its pieces are joined without repeats; pure. */

/** The parts of a terminal's address in the API, from its stream `THREAD/OWNER/terminal-N` or `…/service-N`. */
export function addressOf(threadId: string, stream: string) {
  const [owner = "", last = ""] = stream.split("/").slice(-2);
  const chat = /^session-(\d+)$/.exec(owner);
  return {
    thread: threadId,
    kind: chat ? ("sessions" as const) : ("tasks" as const),
    name: chat?.[1] ?? owner,
    number: Number(last.replace(/^(terminal|service)-/, "")),
  };
}

/** A piece of output; positions count bytes since the terminal's start. */
export interface Piece {
  readonly position: number;
  readonly text: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Return what of a piece is beyond what was read, and up to where that reads. */
export function beyond(read: number, piece: Piece): Piece {
  const bytes = encoder.encode(piece.text);
  const end = piece.position + bytes.length;
  if (end <= read) {
    return { position: read, text: "" };
  }
  const fresh =
    piece.position >= read ? piece.text : decoder.decode(bytes.slice(read - piece.position));
  return { position: end, text: fresh };
}
