/** Applies suggestions to the work that a gate shows; the gate opens again on what is verified then. */

import { useCallback, useEffect, useRef, useState } from "react";
import { type Problem, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import type { Draft } from "@/tasks/review/comments";
import { type Suggestion, suggestionsIn } from "@/tasks/review/suggestions";
import type { Gate } from "@/tasks/review/useGate";
import type { TaskStory } from "@/tasks/story";

type Request = Schemas["ApprovalRequest"];

/** Suggestions that can be applied, and how that went. */
export interface Suggestions {
  /** Applies what drafts suggest; null where that cannot be now. */
  readonly apply: ((drafts: readonly Draft[]) => void) | null;
  readonly isSending: boolean;
  /** This person has had some applied to the work that is shown: what comes of it is not on the screen yet. */
  readonly isAccepted: boolean;
  /** Why the newest were not applied. */
  readonly failure: string;
  readonly problem: Problem | null;
}

interface Source {
  readonly threadId: string;
  /** The task as it is shown. */
  readonly task: Schemas["TaskView"];
  readonly gate: Pick<Gate, "request" | "canDecide" | "isChanged" | "adopt">;
  readonly story: TaskStory;
  /** Takes away the drafts that are in the work that is shown now. */
  readonly onApplied: (drafts: readonly Draft[]) => void;
}

/** Suggestions that were accepted; `known` is what had become of others before. */
interface Accepted {
  readonly commit: string;
  readonly drafts: readonly Draft[];
  readonly known: TaskStory["suggestions"];
}

/** Offer to apply suggestions; they bind to the request that is shown, as an approval does. */
export function useSuggestions({ threadId, task, gate, story, onApplied }: Source): Suggestions {
  const commit = task.snapshot?.commit ?? "";
  const [accepted, setAccepted] = useState<Accepted | null>(null);
  const [refused, setRefused] = useState({ commit: "", failure: "" });
  const command = useCommand((id: string, request: Request, suggestions: readonly Suggestion[]) =>
    post(
      "/v1/threads/{thread}/tasks/{task}/suggestions",
      { thread: threadId, task: task.task_id },
      {
        command_id: id,
        request_id: request.request_id,
        content_hash: request.content_hash,
        suggestions: [...suggestions],
      },
    ),
  );
  const answer = story.suggestions;
  const failure = accepted !== null && answer !== accepted.known ? (answer?.failure ?? "") : "";
  const isAccepted = accepted !== null && accepted.commit === commit && failure === "";
  const send = (drafts: readonly Draft[]) => {
    const usable = drafts.filter((draft) => suggestionsIn([draft], commit).length > 0);
    if (gate.request !== null && usable.length > 0) {
      void command.send(gate.request, suggestionsIn(usable, commit)).then((taken) => {
        if (taken !== null) {
          setRefused({ commit: "", failure: "" });
          setAccepted({ commit, drafts: usable, known: answer });
        }
      });
    }
  };
  const newest = useRef({ send, onApplied, adopt: gate.adopt });
  newest.current = { send, onApplied, adopt: gate.adopt };
  const apply = useCallback((drafts: readonly Draft[]) => newest.current.send(drafts), []);
  useEffect(() => {
    if (accepted !== null && failure !== "") {
      setRefused({ commit: accepted.commit, failure }); // the drafts stay: no later work has them
      setAccepted(null);
    } else if (accepted !== null && accepted.commit !== commit) {
      newest.current.onApplied(accepted.drafts);
      setAccepted(null);
    }
  }, [accepted, commit, failure]);
  const isOwnChange = isAccepted && gate.isChanged;
  useEffect(() => {
    if (isOwnChange) {
      newest.current.adopt(); // the gate that was shown is withdrawn by what this person did
    }
  }, [isOwnChange]);
  const isSending = command.state === "sending";
  const can = gate.request !== null && gate.canDecide && !isSending && !isAccepted;
  return {
    apply: can ? apply : null,
    isSending,
    isAccepted,
    failure: failure || (refused.commit === commit ? refused.failure : ""),
    problem: command.problem,
  };
}
