/** The order of what waits in the queue, and how a card is given another place in it. */

import { notifications } from "@mantine/notifications";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { type Problem, post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useRefresh } from "@/api/queries";
import { useQueue } from "@/api/resources";
import { hold, release } from "@/screens/queue/commands";
import { type Move, moveTo } from "@/screens/queue/positions";
import { reordered } from "@/screens/threads/board/columns";
import { type HeldOrNot, inTurn, refusalWords } from "@/screens/threads/board/turns";

type EntryView = Schemas["EntryView"];

const NONE: readonly EntryView[] = [];

/** What can be done with the entries that wait. */
export interface QueueOrder {
  readonly entries: readonly EntryView[];
  /** What was moved last and where to, or why it was not; to be read aloud. */
  readonly report: string;
  readonly placeOf: (id: string) => number;
  /** Move an entry to a place, from 0; a place that there is not is passed over. */
  readonly move: (id: string, place: number) => void;
  readonly toggleHold: (view: EntryView) => void;
}

/** Follow the queue; a move is shown at once, and taken back where the queue refuses it. */
export function useQueueOrder(): QueueOrder {
  const query = useQueue();
  const refresh = useRefresh(["queue"]);
  const [wanted, setWanted] = useState<{ id: string; place: number } | null>(null);
  const [report, setReport] = useState("");
  const [next] = useState(inTurn); // a second move is sent, too, while the first is under way
  const known = query.data;
  const waiting = useMemo(
    () => (known?.entries ?? NONE).filter(({ place }) => typeof place === "number"),
    [known],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the queue says takes the place of what was wanted
  useEffect(() => setWanted(null), [known]);
  const entries = useMemo(
    () => (wanted === null ? waiting : reordered(waiting, wanted.id, wanted.place)),
    [waiting, wanted],
  );
  const mover = useCommand((command_id: string, entry: string, to: Move) =>
    post("/v1/queue/{entry}/move", { entry }, { command_id, ...to }),
  );
  const holder = useCommand((id: string, view: EntryView) =>
    view.entry.state === "held" ? release(id, view.entry.entry_id) : hold(id, view.entry.entry_id),
  );
  const asked = useRef<HeldOrNot>("held");
  const tell = useCallback(
    (was: "moved" | HeldOrNot, problem: Problem) => {
      setReport(refusalWords(was, problem.detail));
      notifications.show({ message: refusalWords(was, problem.detail) });
      refresh();
    },
    [refresh],
  );
  useEffect(() => {
    if (mover.problem !== null) {
      setWanted(null);
      tell("moved", mover.problem);
    }
  }, [mover.problem, tell]);
  useEffect(() => {
    if (holder.problem !== null) {
      tell(asked.current, holder.problem);
    }
  }, [holder.problem, tell]);
  const placeOf = useCallback(
    (id: string) => entries.findIndex(({ entry }) => entry.entry_id === id),
    [entries],
  );
  const move = useCallback(
    (id: string, place: number) => {
      const shown = entries.map(({ entry }) => ({
        id: entry.entry_id,
        priority: entry.priority ?? 3,
      }));
      const to = moveTo(shown, id, place);
      if (to === null) {
        return;
      }
      const title = entries.find(({ entry }) => entry.entry_id === id)?.entry.title || id;
      setWanted({ id, place });
      setReport(`${title} moved to position ${place + 1} of ${entries.length}`);
      void next(() => mover.send(id, to)).then((answer) => answer !== null && refresh());
    },
    [entries, mover.send, next, refresh],
  );
  const toggleHold = useCallback(
    (view: EntryView) => {
      asked.current = view.entry.state === "held" ? "released" : "held";
      void holder.send(view).then(() => refresh());
    },
    [holder.send, refresh],
  );
  return useMemo(
    () => ({ entries, report, placeOf, move, toggleHold }),
    [entries, report, placeOf, move, toggleHold],
  );
}
