/** Entries of the queue, in order: state, why it waits, and what can be done with each. */

import { ActionIcon, Button } from "@mantine/core";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { post, type Schemas } from "@/api/client";
import { useCommand } from "@/api/commands";
import { useKeys } from "@/keyboard/registry";
import { hold, release } from "@/screens/queue/commands";
import { type Move, moveBy, titled } from "@/screens/queue/positions";
import classes from "@/screens/queue/queue.module.css";
import { Ago } from "@/ui/Ago";
import { Confirm } from "@/ui/Confirm";
import { Failure } from "@/ui/Failure";
import { IssueLink } from "@/ui/IssueLink";
import { spentOf } from "@/ui/money";
import { Panel } from "@/ui/Panel";
import { RovingList } from "@/ui/RovingList";
import { Status } from "@/ui/Status";

type Entry = Schemas["EntryView"];

const NAMED = 60;

interface Props {
  readonly entries: readonly Entry[];
  /** All of the queue, which these may wait for. */
  readonly known: readonly Entry["entry"][];
  readonly label: string;
  readonly isOver?: boolean;
}

/** List entries; the one with the focus is moved by Shift+K and Shift+J, held and released by H. */
export function Entries({ entries, known, label, isOver = false }: Props) {
  const [active, setActive] = useState<string | null>(null);
  const steer = useSteering(entries);
  useKeys(label, isOver || active === null ? [] : keysOf(active, steer));
  return (
    <Panel title={`${label} (${entries.length})`}>
      <Failure problem={steer.problem} />
      <RovingList
        label={label}
        items={entries}
        getKey={({ entry }) => entry.entry_id}
        hasControls
        {...(isOver ? {} : { keyScope: label })}
        active={active}
        onActive={setActive}
        render={(view) => <Row view={view} known={known} steer={isOver ? null : steer} />}
      />
    </Panel>
  );
}

interface Steering {
  readonly problem: ReturnType<typeof useCommand>["problem"];
  readonly isSending: boolean;
  readonly placeOf: (id: string, by: -1 | 1) => Move | null;
  readonly moved: (id: string, by: -1 | 1) => void;
  readonly toggled: (id: string) => void;
  readonly released: (id: string, isAnyway: boolean) => void;
  readonly removed: (id: string) => void;
}

function useSteering(entries: readonly Entry[]): Steering {
  const command = useCommand((id: string, run: (commandId: string) => Promise<unknown>) => run(id));
  const waiting = entries
    .filter(({ place }) => typeof place === "number")
    .map(({ entry }) => ({ id: entry.entry_id, priority: entry.priority ?? 3 }));
  const stateOf = (id: string) => entries.find(({ entry }) => entry.entry_id === id)?.entry.state;
  const placeOf = (id: string, by: -1 | 1) => moveBy(waiting, id, by);
  return {
    problem: command.problem,
    isSending: command.state === "sending",
    placeOf,
    moved: (id, by) => {
      const to = placeOf(id, by);
      if (to !== null) {
        void command.send((command_id) =>
          post("/v1/queue/{entry}/move", { entry: id }, { command_id, ...to }),
        );
      }
    },
    toggled: (id) =>
      void command.send((commandId) =>
        stateOf(id) === "held" ? release(commandId, id) : hold(commandId, id),
      ),
    released: (id, isAnyway) => void command.send((commandId) => release(commandId, id, isAnyway)),
    removed: (entry) =>
      void command.send((command_id) =>
        post("/v1/queue/{entry}/remove", { entry }, { command_id }),
      ),
  };
}

function keysOf(active: string, steer: Steering) {
  return [
    { keys: "Shift+k", label: "Move entry up", run: () => steer.moved(active, -1) },
    { keys: "Shift+j", label: "Move entry down", run: () => steer.moved(active, 1) },
    { keys: "h", label: "Hold or release entry", run: () => steer.toggled(active) },
  ];
}

interface RowProps extends Pick<Props, "known"> {
  readonly view: Entry;
  readonly steer: Steering | null;
}

function Row({ view, known, steer }: RowProps) {
  const { entry, place, why } = view;
  const isFlow = entry.kind === "flow";
  const hasStarted = entry.state === "started" || entry.state === "ended";
  const address = isFlow ? `/flow-runs/${entry.entry_id}` : `/threads/${entry.entry_id}`;
  const title = entry.title || entry.entry_id;
  const after = (entry.after ?? []).filter((id) => !`${why} ${entry.reason}`.includes(id));
  return (
    <div className={classes.entry}>
      <span className={classes.place} title={place ? "position" : undefined}>
        {place ?? ""}
      </span>
      <div>
        <div className={classes.head}>
          <Status status={entry.state === "waiting" ? "queued" : (entry.state ?? "")} />
          <strong className={classes.title}>
            {hasStarted ? <Link href={address}>{title}</Link> : title}
          </strong>
        </div>
        <div className="break-anywhere">{titled(why || (entry.reason ?? ""), known)}</div>
        <div className={classes.facts}>
          <span className="mono">{entry.project.split("/").at(-1)}</span>
          <span>priority {entry.priority ?? 3}</span>
          {isFlow && <span>flow</span>}
          {spentOf(view.money) !== "" && <span>cost {spentOf(view.money)}</span>}
          {entry.issue && (
            <span>
              from <IssueLink issue={entry.issue} />
            </span>
          )}
          {entry.series && !entry.issue && <span>from schedule {entry.series}</span>}
          {entry.enqueued_at && (
            <span>
              added <Ago at={entry.enqueued_at} suffix=" ago" />
            </span>
          )}
          {after.length > 0 && <span>after {titled(after.join(", "), known)}</span>}
        </div>
      </div>
      {steer && <Actions view={view} steer={steer} />}
    </div>
  );
}

function Actions({ view, steer }: { readonly view: Entry; readonly steer: Steering }) {
  const { entry, place } = view;
  const id = entry.entry_id;
  const name = (entry.title || id).slice(0, NAMED);
  const isWaiting = typeof place === "number";
  const isBlocked = entry.state === "blocked";
  const isHeld = entry.state === "held";
  return (
    <div className={classes.actions}>
      {isWaiting && (
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${name} up`}
            disabled={steer.placeOf(id, -1) === null}
            onClick={() => steer.moved(id, -1)}
          >
            <ArrowUp size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${name} down`}
            disabled={steer.placeOf(id, 1) === null}
            onClick={() => steer.moved(id, 1)}
          >
            <ArrowDown size={16} />
          </ActionIcon>
        </>
      )}
      {isBlocked || ((entry.after ?? []).length > 0 && isWaiting) ? (
        <Button
          data-way="start"
          variant="default"
          onClick={() => steer.released(id, !entry.is_refused)}
        >
          {entry.is_refused ? "Retry" : "Start anyway"}
        </Button>
      ) : null}
      {isWaiting && !isBlocked && (
        <Button data-way="hold" variant="default" onClick={() => steer.toggled(id)}>
          {isHeld ? "Release" : "Hold"}
        </Button>
      )}
      <Confirm
        label="Remove"
        question={
          isWaiting ? "Remove this entry?" : "Remove this entry? What has started continues."
        }
        verb="Remove"
        onConfirm={() => steer.removed(id)}
      />
    </div>
  );
}
