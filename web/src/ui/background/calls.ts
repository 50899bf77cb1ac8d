/** What the page's worker can be asked; pure. */

import { highlight } from "./highlighting.ts";
import { findMoves } from "./moves.ts";
import { wordEdits } from "./words.ts";

/** What can be asked, by its name. */
export const CALLS = { highlight, findMoves, wordEdits };

/** The names of what can be asked, with what each takes and gives. */
export type Calls = typeof CALLS;
