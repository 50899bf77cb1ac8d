/** What the screen around a conversation can do about what failed in it. */

import { createContext, useContext } from "react";

/** The two ways on after a failed turn, and the way to what was before. */
export interface TranscriptActions {
  /** Have the agent continue where it was. */
  readonly continueTurn: () => void;
  /** Give the session another agent or model. */
  readonly switchAgent: () => void;
  /** Where the conversation is in which the approved plan was made. */
  readonly planningSession: string | null;
}

/** The actions of the screen; null where there are none. */
export const TranscriptActionsContext = createContext<TranscriptActions | null>(null);

/** The actions of the screen that a conversation is in. */
export function useTranscriptActions(): TranscriptActions | null {
  return useContext(TranscriptActionsContext);
}
